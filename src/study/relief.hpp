// Relief: which resource, made twice as good, shortens requests most.
#pragma once

#include <string>
#include <vector>

#include "base/result.hpp"
#include "engine/engine_plan.hpp"
#include "engine/run_engine.hpp"

namespace oblea {

struct Relief {
  std::string resource;  // "decode", "prompts", "links", "cache", "slots"
  std::string words;     // "devices that decode twice as fast"
  double request_s = 0;  // mean time of a request then
  double gain = 0;       // share by which that is shorter
};

// Largest gain first, ties in the order of the table; five more runs. Example: requests of 10 s, with links twice as
// fast 6 s: gain 0.4.
Result<std::vector<Relief>> find_relief(const FleetPlan& fleet, const EngineRequests& requests, double request_s);

}  // namespace oblea
