#include "study/speculation.hpp"

#include <algorithm>
#include <cmath>
#include <memory>

#include "base/check.hpp"
#include "study/stage_times.hpp"

namespace oblea {
namespace {

constexpr Banded<double> kUsualAcceptance{0.7, 0.5, 0.85};

// All layers of the draft on the first card of the first stage.
StageTimes draft_times(const Scenario& scenario, const PlacedCluster& placed, const TimingParameters& timing) {
  const Mixture* mixture = find_mixture(scenario.draft->mixture);
  OBLEA_CHECK(mixture != nullptr, "the scenario reader checks quantisations");
  const ModelFootprint model = make_footprint(scenario.draft->model, *mixture);
  Stage stage;
  stage.devices = {placed.placement()->stages.front().devices.front()};
  stage.layer_count = static_cast<int>(model.layers.size());
  stage.holds_head = true;
  Placement alone;
  alone.stages = {stage};
  SpeedQuestion question = make_speed_question(scenario, model, placed.planning, placed.links, alone);
  question.kv_bytes_per_f16 = 1;
  return {question, stage, nullptr, timing};
}

}  // namespace

double accepted_length(int guesses, double acceptance) {
  if (acceptance >= 1) return guesses + 1.0;
  return (1 - std::pow(acceptance, guesses + 1)) / (1 - acceptance);
}

Banded<double> accepted_length(const Scenario& scenario) {
  if (!scenario.draft) return {1, 1, 1};
  const std::optional<double> given = scenario.draft->acceptance;
  const Banded<double> chance = given ? Banded<double>{*given, *given, *given} : kUsualAcceptance;
  const int guesses = scenario.draft->guesses;
  return {accepted_length(guesses, chance.value), accepted_length(guesses, chance.low),
          accepted_length(guesses, chance.high)};
}

void add_speculation(EnginePlan& plan, const Scenario& scenario, const PlacedCluster& placed,
                     const TimingParameters& timing) {
  if (!scenario.draft) return;
  const auto draft = std::make_shared<const StageTimes>(draft_times(scenario, placed, timing));
  const int guesses = scenario.draft->guesses;
  StagePlan& first = plan.stages.front();
  first.draft_s = [draft, guesses](int sequences) { return guesses * draft->decode(sequences, 0).value.value(); };
  for (const AttendedCost& cost : draft->attended()) {
    first.attended.push_back({guesses * cost.seconds_per_token, cost.window});
  }
  first.prefill_s = [inner = first.prefill_s, draft](double tokens, double depth) {
    return inner(tokens, depth) + draft->prefill(tokens, depth).value.value();
  };
  ServingPlan& serving = plan.serving;
  serving.positions_per_step = guesses + 1;
  serving.tokens_per_step = accepted_length(scenario).value;
  serving.pass_tokens = std::max(serving.pass_tokens, serving.sequences_max * serving.positions_per_step);
}

}  // namespace oblea
