// FailedRun: the fleet of a scenario whose components fail, and the same requests without failures to hold it against.
#pragma once

#include "base/result.hpp"
#include "engine/run_engine.hpp"
#include "study/planned_fleet.hpp"
#include "study/simulated_plan.hpp"

namespace oblea {

// Failures are looked for up to this many times the end of the run without them; a run that lasts longer has none
// after.
inline constexpr double kHorizons = 10;

struct FailedRun {
  EngineResult without;
  PlannedFleet planned;
  double horizon_s = 0;
};

// Plays the requests once without failures, draws failures and plans what is left after each. `scenario.failures` must
// be set, the simulated plan must fit. Errors: a chain of wafers; those of the run, the failures and the plans.
Result<FailedRun> plan_failed_run(const Scenario& scenario, const SimulatedPlan& simulated,
                                  const EngineRequests& requests, const ProfileLibrary& library,
                                  const TimingParameters& timing);

// The plan that is played then: the fleet with its failures, in the widest band of its plans.
SimulatedPlan with_failures(const SimulatedPlan& simulated, const FailedRun& failed);

}  // namespace oblea
