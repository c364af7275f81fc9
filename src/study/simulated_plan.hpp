// SimulatedPlan: what a scenario gives the engine, whether it is cards in boxes or a chain of wafers, with the band of
// its times and what the report says of it.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/result.hpp"
#include "engine/engine_plan.hpp"
#include "hardware/library.hpp"
#include "report/report.hpp"
#include "study/planned_fleet.hpp"
#include "study/run_power.hpp"
#include "study/scaled_plan.hpp"
#include "study/scenario.hpp"
#include "timing/timing_parameters.hpp"

namespace oblea {

struct SimulatedPlan {
  FleetPlan fleet;  // all replicas, while nothing fails; none where the model does not fit
  PlanFactors low;  // the fast end of the times' band, of decoding by that of a step, of prompts by that of one alone
  PlanFactors high;
  Origin origin = Origin::estimate;
  std::optional<RunMachine> machine;  // of the only replica
  double megawatts = 0;               // of a chain of wafers; 0: not known here
  double megawatts_spread = 0;
  std::vector<Metric> metrics;  // known before the run
  std::vector<Verdict> verdicts;
  std::vector<Table> tables;
  std::vector<std::string> notes;
  std::vector<std::string> provenance;

  bool fits() const { return !fleet.replicas.empty(); }
  const EnginePlan& first_plan() const { return *fleet.replicas.front().phases.front().plan; }
};

// `timing` must outlive the plan. Errors: as `place`.
Result<SimulatedPlan> make_simulated_plan(const Scenario& scenario, const ProfileLibrary& library,
                                          const TimingParameters& timing);

}  // namespace oblea
