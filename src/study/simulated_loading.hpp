// SimulatedLoading: a cold start as part of a run: nothing is served before the weights are in place.
#pragma once

#include "study/placed_cluster.hpp"
#include "study/simulated_plan.hpp"

namespace oblea {

// Figure "load_s", table "loading", and the plan's start with its band. Nothing where the scenario has no "storage".
// Errors: those of `cold_start`.
Result<bool> add_loading(SimulatedPlan& simulated, const Scenario& scenario, const PlacedCluster& placed,
                         const ProfileLibrary& library);

}  // namespace oblea
