// CheckPlan: what a run cannot start with, in words, before anything starts.
#pragma once

#include "engine/run_engine.hpp"

namespace oblea {

// Empty when the run can start. Zero work is a fault too: no requests, no stages, a pass that takes no time.
Diagnostics check_run(const FleetPlan& fleet, const EngineRequests& requests);

}  // namespace oblea
