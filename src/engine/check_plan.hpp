// CheckPlan: what a run cannot start with, in words, before anything starts.
#pragma once

#include "engine/run_engine.hpp"

namespace oblea {

// Empty when the run can start. Zero work is a fault too: no requests, no stages, a pass that takes no time. So is a
// pass of less than 100 steps of the clock: at 1e9 s a double counts in 0.12 us, so 12 us is the shortest.
Diagnostics check_run(const FleetPlan& fleet, const EngineRequests& requests);

}  // namespace oblea
