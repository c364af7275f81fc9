#include "study/simulated_loading.hpp"

#include "study/cold_start.hpp"

namespace oblea {

Result<bool> add_loading(SimulatedPlan& simulated, const Scenario& scenario, const PlacedCluster& placed,
                         const ProfileLibrary& library) {
  if (!scenario.storage) return false;
  Result<ColdStart> start = cold_start(scenario, placed, library);
  if (!start) return fail(start.error());
  simulated.plan.start_s = start->ready_s;
  simulated.low.start = start->low_s / start->ready_s;
  simulated.high.start = start->high_s / start->ready_s;
  simulated.origin = Origin::estimate;  // of all that waits for it
  simulated.metrics.push_back(
      make_metric("load_s", start->ready_s, "s", start->low_s, start->high_s, Origin::estimate));
  simulated.tables.push_back(std::move(start->table));
  simulated.notes.insert(simulated.notes.end(), start->notes.begin(), start->notes.end());
  return true;
}

}  // namespace oblea
