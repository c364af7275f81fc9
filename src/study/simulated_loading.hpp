// SimulatedLoading: a cold start as part of a run: nothing is served before the weights are in place.
#pragma once

#include "hardware/library.hpp"
#include "study/planned_fleet.hpp"
#include "study/simulated_plan.hpp"

namespace oblea {

// `cold_start` with this library, which must outlive it.
Loading loading_from(const ProfileLibrary& library);

// Figure "load_s", until the last replica serves, and a table a replica; nothing where no loading is counted.
void add_loading(SimulatedPlan& simulated, const PlannedFleet& planned);

}  // namespace oblea
