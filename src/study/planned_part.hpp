// PlannedPart: one replica's scenario placed and made into an engine plan, with the band of its times.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/result.hpp"
#include "engine/engine_plan.hpp"
#include "hardware/library.hpp"
#include "report/report.hpp"
#include "study/cold_start.hpp"
#include "study/placed_cluster.hpp"
#include "study/run_power.hpp"
#include "study/scaled_plan.hpp"
#include "study/scenario.hpp"
#include "timing/timing_parameters.hpp"

namespace oblea {

// How a placed scenario's weights come into place.
using Loading = std::function<Result<ColdStart>(const Scenario&, const PlacedCluster&)>;

struct PlannedPart {
  std::shared_ptr<const EnginePlan> plan;  // with its loading as `start_s`; null: it does not fit
  std::optional<ColdStart> loading;        // where it is counted
  RunMachine machine;
  Verdict memory;   // "fits" or "does-not-fit", with the arithmetic
  PlanFactors low;  // band, as in SimulatedPlan
  PlanFactors high;
  Origin origin = Origin::estimate;
  double step_s = 0;  // of the workload's users
  std::vector<std::string> provenance;
};

// Loading is counted where the scenario has "storage". `timing` must outlive the plan. Errors: as `place`, and those of
// `loading`.
Result<PlannedPart> plan_part(const Scenario& scenario, const ProfileLibrary& library, const TimingParameters& timing,
                              const Loading& loading);

}  // namespace oblea
