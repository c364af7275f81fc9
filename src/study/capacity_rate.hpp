// CapacityRate: how many requests a second the machine can serve, and whether more are offered.
#pragma once

#include <optional>

#include "base/result.hpp"
#include "engine/run_engine.hpp"
#include "study/simulated_plan.hpp"

namespace oblea {

struct Load {
  double offered_per_s = 0;   // between first and last arrival
  double capacity_per_s = 0;  // with all requests there from the start
};

// How often the requests must be played in a row for eight times as many as are served at once, so that filling and
// emptying the machine counts for at most an eighth. Example: 60 requests of 1,000 tokens, room for 40,000: 40 at once,
// 320 wanted, 6 times.
int rounds_to_saturate(const ServingPlan& serving, const std::vector<Request>& requests);

// One more run, with the same requests over and over and all there from the start: its finished requests over its time,
// which is low by an eighth at most. Nothing where all arrive at once.
Result<std::optional<Load>> find_load(const SimulatedPlan& simulated, const EngineRequests& requests);

}  // namespace oblea
