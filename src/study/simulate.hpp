// Simulate: requests played through the placement that `place` chooses: waits, tokens a second, verdicts, and what
// would help most.
//
// Scope: replicas, a prefill/decode split, cold starts and failures of a cluster; chains of wafers without them. Limits:
// steady clocks, no heat over time; place's timing model, so its band; all-reduces do not queue behind other traffic.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "base/result.hpp"
#include "engine/engine_result.hpp"
#include "hardware/library.hpp"
#include "report/report.hpp"
#include "study/scenario.hpp"
#include "timing/timing_parameters.hpp"

namespace oblea {

struct SimulateOptions {
  bool step_by_step = false;  // every pass of every stage: the slow truth
  bool timeline = false;
  bool asks_what_helps = true;                 // five runs more; a claim's variant needs no such table
  std::function<void(double share)> progress;  // of the main run; null: not
};

struct Simulation {
  Report report;
  std::vector<std::string> lanes;  // names of the stages
  std::vector<Span> timeline;      // where asked for
};

// "Does not fit", "overloaded", "slo-missed", "rejected-requests" are answers. Errors: a cluster that cannot be built
// as described; a run that was killed or made no progress.
Result<Simulation> run_simulate(const Scenario& scenario, const ProfileLibrary& library, const TimingParameters& timing,
                                const SimulateOptions& options);

}  // namespace oblea
