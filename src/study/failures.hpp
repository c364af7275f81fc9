// Failures: when which components of a cluster are down: as the scenario says, and by chance.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "base/result.hpp"
#include "study/components.hpp"

namespace oblea {

// From `at_s` on, until the next change, exactly these are down.
struct DownChange {
  double at_s = 0;
  std::set<std::string> down;
};

// Changes by time, up to failures before `horizon_s` and their repairs. Failures by chance: exponential times of the
// given mean from one repair to the next failure, each component from a random stream of its own, so that another
// component moves none of them. Each is down for the repair time, so that it works mtbf / (mtbf + repair) of a long
// time. Example: node1 fails at 100 s for 50 s, node2 at 120 s for ever: at 100 {node1}, at 120 {node1, node2}, at 150
// {node2}. Errors: more failures than anyone could look at (kMaxFailures).
Result<std::vector<DownChange>> failure_timeline(const FailureSettings& settings,
                                                 const std::vector<Component>& components, double horizon_s);

}  // namespace oblea
