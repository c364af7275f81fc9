#include "study/failed_run.hpp"

#include <algorithm>

#include "base/check.hpp"
#include "study/simulated_loading.hpp"

namespace oblea {

Result<FailedRun> plan_failed_run(const Scenario& scenario, const SimulatedPlan& simulated,
                                  const EngineRequests& requests, const ProfileLibrary& library,
                                  const TimingParameters& timing) {
  OBLEA_CHECK(scenario.failures && simulated.fits(), "something runs until it fails");
  if (scenario.wafers)
    return fail("failures are of boxes and cards; none are known of wafers", "leave \"failures\" out");
  FailedRun failed;
  Result<EngineResult> without = run_engine(simulated.fleet, requests, {});
  if (!without) return fail(without.error());
  failed.without = std::move(*without);
  failed.horizon_s = kHorizons * failed.without.end_s;
  const Result<std::vector<DownChange>> timeline =
      failure_timeline(*scenario.failures, components_of(scenario.cluster), failed.horizon_s);
  if (!timeline) return fail(timeline.error());
  Result<PlannedFleet> planned = plan_fleet(scenario, library, timing, loading_from(library), *timeline);
  if (!planned) return fail(planned.error());
  failed.planned = std::move(*planned);
  return failed;
}

SimulatedPlan with_failures(const SimulatedPlan& simulated, const FailedRun& failed) {
  SimulatedPlan played = simulated;
  played.fleet = failed.planned.fleet;
  played.low = failed.planned.low;
  played.high = failed.planned.high;
  played.origin = failed.planned.origin;
  return played;
}

}  // namespace oblea
