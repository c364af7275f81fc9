#include "study/planned_part.hpp"

#include "study/engine_plan_of.hpp"
#include "study/provenance.hpp"
#include "study/speculation.hpp"

namespace oblea {
namespace {

PlanFactors factors_of(double step, double prompt) { return {.decode = step, .prefill = prompt, .links = step}; }

}  // namespace

Result<PlannedPart> plan_part(const Scenario& scenario, const ProfileLibrary& library, const TimingParameters& timing,
                              const Loading& loading) {
  const Result<PlacedCluster> placed = place_on_cluster(scenario, library, timing);
  if (!placed) return fail(placed.error());
  PlannedPart part;
  part.memory = memory_verdict(scenario, *placed);
  part.provenance = provenance_of(placed->planning.devices, scenario.model, &timing, library.prices);
  if (placed->placement() == nullptr) return part;
  EnginePlan plan = engine_plan_of(scenario, *placed, timing);
  add_speculation(plan, scenario, *placed, timing);
  if (scenario.storage) {
    Result<ColdStart> start = loading(scenario, *placed);
    if (!start) return fail(start.error());
    plan.start_s = start->ready_s;
    part.loading = std::move(*start);
  }
  part.plan = std::make_shared<const EnginePlan>(std::move(plan));
  const Prediction& step = placed->speed.step;
  const Prediction& prompt = placed->speed.first_token;
  part.low = factors_of(step.low / step.value, prompt.low / prompt.value);
  part.high = factors_of(step.high / step.value, prompt.high / prompt.value);
  const Banded<double> made = accepted_length(scenario);
  part.low.decode *= made.value / made.high;
  part.high.decode *= made.value / made.low;
  if (part.loading && part.loading->ready_s > 0) {
    part.low.start = part.loading->low_s / part.loading->ready_s;
    part.high.start = part.loading->high_s / part.loading->ready_s;
  }
  part.origin =
      placed->speed.estimated || part.loading || scenario.draft ? Origin::estimate : Origin::measured_elsewhere;
  part.machine.machine = placed->machine;
  for (const PlacementDevice& device : placed->planning.cards()) part.machine.names.push_back(device.name);
  part.step_s = step.value.value();
  return part;
}

}  // namespace oblea
