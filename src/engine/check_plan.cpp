#include "engine/check_plan.hpp"

#include <fmt/core.h>

namespace oblea {
namespace {

void note(Diagnostics& faults, std::string message) { faults.push_back({Severity::error, {}, std::move(message), ""}); }

}  // namespace

Diagnostics check_run(const EnginePlan& plan, const EngineRequests& requests) {
  Diagnostics faults;
  if (plan.stages.empty()) note(faults, "a plan without stages serves nobody");
  if (requests.requests.empty()) note(faults, "no requests: there is nothing to play");
  for (std::size_t i = 0; i < requests.requests.size() && faults.size() < 10; ++i) {
    const Request& request = requests.requests[i];
    if (request.prompt_tokens < 1 || request.output_tokens < 1)
      note(faults, fmt::format("request {} has {} prompt and {} answer tokens; each takes at least 1", i + 1,
                               request.prompt_tokens, request.output_tokens));
  }
  double pass_s = plan.serving.overhead_s;
  for (const StagePlan& stage : plan.stages) {
    if (!stage.decode_s || !stage.prefill_s) {
      note(faults, fmt::format("stage {} has no times", stage.name));
      return faults;
    }
    pass_s += stage.decode_s(1);
  }
  if (!plan.stages.empty() && !(pass_s > 0)) note(faults, "a pass that takes no time makes tokens without end");
  if (!(plan.serving.cache_tokens >= plan.serving.block_tokens)) note(faults, "the cache has no room for one block");
  return faults;
}

}  // namespace oblea
