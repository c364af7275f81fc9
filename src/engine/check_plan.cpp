#include "engine/check_plan.hpp"

#include <fmt/core.h>

namespace oblea {
namespace {

void note(Diagnostics& faults, std::string message) { faults.push_back({Severity::error, {}, std::move(message), ""}); }

void check_plan(Diagnostics& faults, const EnginePlan& plan) {
  if (plan.stages.empty()) note(faults, "a plan without stages serves nobody");
  double pass_s = plan.serving.overhead_s;
  for (const StagePlan& stage : plan.stages) {
    if (!stage.decode_s || !stage.prefill_s) {
      note(faults, fmt::format("stage {} has no times", stage.name));
      return;
    }
    pass_s += stage.decode_s(1);
  }
  if (!plan.stages.empty() && !(pass_s > 0)) note(faults, "a pass that takes no time makes tokens without end");
  if (!(plan.serving.cache_tokens >= plan.serving.block_tokens)) note(faults, "the cache has no room for one block");
}

void check_requests(Diagnostics& faults, const EngineRequests& requests) {
  if (requests.requests.empty()) note(faults, "no requests: there is nothing to play");
  for (std::size_t i = 0; i < requests.requests.size() && faults.size() < 10; ++i) {
    const Request& request = requests.requests[i];
    if (request.prompt_tokens < 1 || request.output_tokens < 1)
      note(faults, fmt::format("request {} has {} prompt and {} answer tokens; each takes at least 1", i + 1,
                               request.prompt_tokens, request.output_tokens));
  }
}

void check_phases(Diagnostics& faults, const Replica& replica) {
  double before_s = 0;
  for (const Phase& phase : replica.phases) {
    if (!(phase.from_s >= before_s))
      note(faults, fmt::format("phases of replica \"{}\" are out of order", replica.name));
    if (phase.plan && !(phase.ready_s >= phase.from_s))
      note(faults, fmt::format("replica \"{}\" is ready before it begins", replica.name));
    before_s = phase.from_s;
  }
}

}  // namespace

Diagnostics check_run(const FleetPlan& fleet, const EngineRequests& requests) {
  Diagnostics faults;
  check_requests(faults, requests);
  bool serves = false;
  for (const Replica& replica : fleet.replicas) {
    check_phases(faults, replica);
    for (const Phase& phase : replica.phases) {
      if (phase.plan) check_plan(faults, *phase.plan);
      serves = serves || phase.plan;
    }
  }
  if (!serves) note(faults, "no replica ever serves");
  return faults;
}

}  // namespace oblea
