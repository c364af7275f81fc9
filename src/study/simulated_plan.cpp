#include "study/simulated_plan.hpp"

#include <fmt/core.h>

#include "study/engine_plan_of.hpp"
#include "study/engine_plan_of_wafers.hpp"
#include "study/placed_cluster.hpp"
#include "study/provenance.hpp"
#include "study/simulated_loading.hpp"
#include "units/print.hpp"

namespace oblea {
namespace {

PlanFactors factors_of(double step, double prompt) { return {.decode = step, .prefill = prompt, .links = step}; }

const char* serving_words(Serving kind) {
  switch (kind) {
    case Serving::slots:
      return "slots, each with its context";
    case Serving::continuous:
      return "continuous batching";
    case Serving::single:
      return "one request at a time";
  }
  return "";
}

std::string plan_words(const ServingPlan& serving) {
  return fmt::format("{}: {} sequences at once at most, {} tokens a pass, room for {} tokens of KV",
                     serving_words(serving.kind), serving.sequences_max, serving.pass_tokens,
                     print_count(serving.cache_tokens));
}

Result<SimulatedPlan> plan_cluster(const Scenario& scenario, const ProfileLibrary& library,
                                   const TimingParameters& timing) {
  const Result<PlacedCluster> placed = place_on_cluster(scenario, library, timing);
  if (!placed) return fail(placed.error());
  SimulatedPlan simulated;
  simulated.verdicts.push_back(memory_verdict(scenario, *placed));
  simulated.provenance = provenance_of(placed->planning.devices, scenario.model, &timing, library.prices);
  simulated.fits = placed->placement() != nullptr;
  if (!simulated.fits) return simulated;
  simulated.plan = engine_plan_of(scenario, *placed, timing);
  const Prediction& step = placed->speed.step;
  const Prediction& prompt = placed->speed.first_token;
  simulated.low = factors_of(step.low / step.value, prompt.low / prompt.value);
  simulated.high = factors_of(step.high / step.value, prompt.high / prompt.value);
  simulated.origin = placed->speed.estimated ? Origin::estimate : Origin::measured_elsewhere;
  const Result<bool> loading = add_loading(simulated, scenario, *placed, library);
  if (!loading) return fail(loading.error());
  return simulated;
}

}  // namespace

Result<SimulatedPlan> make_simulated_plan(const Scenario& scenario, const ProfileLibrary& library,
                                          const TimingParameters& timing) {
  if (!scenario.wafers && scenario.cluster.nodes.empty()) {
    return fail("the scenario has neither \"cluster\" nor \"wafers\": there is nothing to run the model on",
                "describe the boxes in cluster.nodes, or ask oblea size which to buy");
  }
  Result<SimulatedPlan> simulated =
      scenario.wafers ? plan_wafer_chain(scenario, library) : plan_cluster(scenario, library, timing);
  if (simulated && simulated->fits) simulated->notes.push_back(plan_words(simulated->plan.serving));
  return simulated;
}

}  // namespace oblea
