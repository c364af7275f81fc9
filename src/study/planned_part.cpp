#include "study/planned_part.hpp"

#include "study/engine_plan_of.hpp"
#include "study/provenance.hpp"

namespace oblea {
namespace {

PlanFactors factors_of(double step, double prompt) { return {.decode = step, .prefill = prompt, .links = step}; }

}  // namespace

Result<PlannedPart> plan_part(const Scenario& scenario, const ProfileLibrary& library, const TimingParameters& timing,
                              const LoadTime& load_time) {
  const Result<PlacedCluster> placed = place_on_cluster(scenario, library, timing);
  if (!placed) return fail(placed.error());
  PlannedPart part;
  part.memory = memory_verdict(scenario, *placed);
  part.provenance = provenance_of(placed->planning.devices, scenario.model, &timing, library.prices);
  if (placed->placement() == nullptr) return part;
  EnginePlan plan = engine_plan_of(scenario, *placed, timing);
  if (load_time) {
    const Result<double> load = load_time(scenario, *placed);
    if (!load) return fail(load.error());
    plan.start_s = *load;
  }
  part.plan = std::make_shared<const EnginePlan>(std::move(plan));
  const Prediction& step = placed->speed.step;
  const Prediction& prompt = placed->speed.first_token;
  part.low = factors_of(step.low / step.value, prompt.low / prompt.value);
  part.high = factors_of(step.high / step.value, prompt.high / prompt.value);
  part.origin = placed->speed.estimated ? Origin::estimate : Origin::measured_elsewhere;
  part.step_s = step.value.value();
  return part;
}

}  // namespace oblea
