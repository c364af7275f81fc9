// RunEngine: plays requests through a plan on SimGrid. Nothing here knows models, profiles or files.
#pragma once

#include <memory>
#include <vector>

#include "base/result.hpp"
#include "engine/engine_plan.hpp"
#include "engine/engine_result.hpp"
#include "engine/forked_run.hpp"
#include "engine/pacer.hpp"
#include "workload/request.hpp"

namespace oblea {

struct EngineRequests {
  std::vector<Request> requests;
  int closed_users = 0;  // > 0: closed loop, arrival times are not used
  double think_s = 0;
};

struct EngineOptions {
  bool step_by_step = false;  // every pass of every stage as SimGrid activities: the slow truth
  bool timeline = false;
  Progress progress;  // called now and then, from 0 to 1, which comes last; null: not
  RunLimits limits;
  std::shared_ptr<Pacer> pacer;  // null: everything stays as planned. A forked run changes a copy of it
};

// In this process: SimGrid's clock starts at 0 once a process only, so a second call fails a check.
EngineResult run_engine_here(const FleetPlan& fleet, const EngineRequests& requests, const EngineOptions& options);

// In a forked child, as often as one likes. Errors: the child was killed, ran out of memory, made no progress.
Result<EngineResult> run_engine(const FleetPlan& fleet, const EngineRequests& requests, const EngineOptions& options);
Result<EngineResult> run_engine(const EnginePlan& plan, const EngineRequests& requests, const EngineOptions& options);

}  // namespace oblea
