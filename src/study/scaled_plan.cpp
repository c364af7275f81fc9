#include "study/scaled_plan.hpp"

#include <algorithm>
#include <cmath>
#include <map>

namespace oblea {
namespace {

void scale_stage(StagePlan& stage, const PlanFactors& factors) {
  stage.decode_s = [inner = stage.decode_s, factor = factors.decode](int sequences) {
    return inner(sequences) * factor;
  };
  if (stage.draft_s) {
    stage.draft_s = [inner = stage.draft_s, factor = factors.decode](int sequences) {
      return inner(sequences) * factor;
    };
  }
  for (AttendedCost& cost : stage.attended) cost.seconds_per_token *= factors.decode;
  stage.prefill_s = [inner = stage.prefill_s, factor = factors.prefill](double tokens, double depth) {
    return inner(tokens, depth) * factor;
  };
  if (stage.collective_s) {
    stage.collective_s = [inner = stage.collective_s, factor = factors.links](double tokens) {
      return inner(tokens) * factor;
    };
  }
  stage.hop_latency_s *= factors.links;
  stage.hop_s_per_token *= factors.links;
}

}  // namespace

EnginePlan scaled_plan(const EnginePlan& plan, const PlanFactors& factors) {
  EnginePlan scaled = plan;
  scaled.start_s *= factors.start;
  for (StagePlan& stage : scaled.stages) scale_stage(stage, factors);
  for (LinkPlan& link : scaled.links) {
    link.bytes_per_s /= factors.links;
    link.latency_s *= factors.links;
  }
  ServingPlan& serving = scaled.serving;
  serving.overhead_s *= factors.decode;
  serving.sequences_max = std::max(1, static_cast<int>(std::floor(serving.sequences_max * factors.slots)));
  serving.pass_tokens = std::max(serving.pass_tokens, serving.sequences_max);
  const bool slots = serving.kind == Serving::slots;
  serving.cache_tokens = std::floor(serving.cache_tokens * (slots ? factors.slots : factors.cache));
  return scaled;
}

FleetPlan scaled_fleet(const FleetPlan& fleet, const PlanFactors& factors) {
  FleetPlan scaled = fleet;
  std::map<const EnginePlan*, std::shared_ptr<const EnginePlan>> done;
  for (Replica& replica : scaled.replicas) {
    for (Phase& phase : replica.phases) {
      if (!phase.plan) continue;
      std::shared_ptr<const EnginePlan>& plan = done[phase.plan.get()];
      if (!plan) plan = std::make_shared<const EnginePlan>(scaled_plan(*phase.plan, factors));
      phase.ready_s += plan->start_s - phase.plan->start_s;
      phase.plan = plan;
    }
  }
  scaled.handover_latency_s *= factors.links;
  scaled.handover_s_per_token *= factors.links;
  return scaled;
}

}  // namespace oblea
