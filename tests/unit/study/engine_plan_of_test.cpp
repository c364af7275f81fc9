// What the engine is given equals what `place` says: the same step and the same first token.
#include "study/engine_plan_of.hpp"

#include <gtest/gtest.h>

#include "support/repository.hpp"

namespace oblea {
namespace {

struct Planned {
  Scenario scenario;
  PlacedCluster placed;
  EnginePlan plan;
};

Planned planned(const std::string& path, const std::vector<ScenarioSetting>& settings = {}) {
  Planned p;
  p.scenario = test::repository_scenario(path, settings);
  p.placed = place_on_cluster(p.scenario, test::repository_library(), test::repository_timing()).value();
  p.plan = engine_plan_of(p.scenario, p.placed, test::repository_timing());
  return p;
}

double hops(const StagePlan& stage, double tokens) { return stage.hop_latency_s + stage.hop_s_per_token * tokens; }

// As engine_plan.hpp defines a pass.
double decode_pass(const EnginePlan& plan, int sequences, double context) {
  double seconds = plan.serving.overhead_s;
  for (const StagePlan& stage : plan.stages) {
    seconds += stage.decode_s(sequences) + stage.collective_s(sequences) + hops(stage, sequences);
    for (const AttendedCost& cost : stage.attended) {
      seconds += sequences * cost.seconds_per_token * (cost.window > 0 ? std::min(context, cost.window) : context);
    }
  }
  return seconds;
}

double prompt_pass(const EnginePlan& plan, double tokens) {
  double seconds = 0;
  for (const StagePlan& stage : plan.stages) {
    seconds += stage.prefill_s(tokens, 0) + stage.collective_s(tokens) + hops(stage, tokens);
  }
  return seconds;
}

const std::vector<ScenarioSetting> kTwoBoxes = {{"model.quantisation", "IQ2_M", "test"},
                                                {"workload.prompt", "2048", "test"}};

std::vector<Planned> several() {
  std::vector<Planned> plans;
  plans.push_back(planned("scenarios/homelab/single-3090-qwen3-32b.json"));
  plans.push_back(planned("scenarios/homelab/two-node-10gbe.json", kTwoBoxes));
  plans.push_back(planned("scenarios/homelab/tensor-parallel-rdma.json", {{"workload.users", "3", "test"}}));
  plans.push_back(planned("scenarios/immersion/four-3090.json"));
  plans.push_back(planned("scenarios/homelab/gpt-oss-120b-strix-halo.json", {{"workload.users", "4", "test"}}));
  plans.push_back(planned("scenarios/homelab/single-3090-qwen3-32b.json", {{"model.id", "gpt-oss-120b", "test"},
                                                                           {"model.quantisation", "MXFP4", "test"},
                                                                           {"cluster.nodes.0.ram", "96 GiB", "test"},
                                                                           {"placement.split", "offload", "test"}}));
  return plans;
}

TEST(EnginePlanOf, AStepIsThatOfPlace) {
  for (const Planned& p : several()) {
    const double step = p.placed.speed.step.value.value();
    const int users = static_cast<int>(p.scenario.workload.users);
    EXPECT_NEAR(decode_pass(p.plan, users, step_context(p.scenario.workload).value()) / step, 1, 1e-9)
        << p.scenario.path << " " << p.scenario.model.id;
  }
}

TEST(EnginePlanOf, AFirstTokenIsThatOfPlaceWhereOnePassTakesThePrompt) {
  for (const Planned& p : several()) {
    const double prompt = prompt_length(p.scenario.workload).value();
    if (prompt > p.plan.serving.pass_tokens) continue;
    EXPECT_NEAR(prompt_pass(p.plan, prompt) / p.placed.speed.first_token.value.value(), 1, 1e-9)
        << p.scenario.path << " " << p.scenario.model.id;
  }
}

// Four slots of 4,096 tokens, reserved whole.
TEST(EnginePlanOf, LlamaCppServesSlots) {
  const ServingPlan serving = planned("scenarios/homelab/single-3090-qwen3-32b.json",
                                      {{"workload.users", "4", "test"}, {"workload.context", "4096", "test"}})
                                  .plan.serving;
  EXPECT_EQ(serving.kind, Serving::slots);
  EXPECT_EQ(serving.sequences_max, 4);
  EXPECT_EQ(serving.cache_tokens, 4 * 4096);
  EXPECT_EQ(serving.context_max, 4096);
}

// Smaller keys and values leave room for more tokens.
TEST(EnginePlanOf, ASmallerCacheHoldsMoreTokens) {
  const char* path = "scenarios/homelab/tensor-parallel-rdma.json";
  const double wide = planned(path).plan.serving.cache_tokens;
  const double narrow = planned(path, {{"model.kv", "fp8", "test"}}).plan.serving.cache_tokens;
  EXPECT_GT(wide, 8192);
  EXPECT_GT(narrow, 1.9 * wide);
}

TEST(EnginePlanOf, OnlyHopsBetweenBoxesUseTheLink) {
  const EnginePlan two = planned("scenarios/homelab/two-node-10gbe.json", kTwoBoxes).plan;
  ASSERT_EQ(two.stages.size(), 2u);
  EXPECT_EQ(two.stages[0].hop_link, -1);
  EXPECT_EQ(two.stages[0].hop_latency_s, 0);
  EXPECT_EQ(two.stages[1].hop_link, 0);
  ASSERT_EQ(two.links.size(), 1u);
  EXPECT_TRUE(planned("scenarios/immersion/four-3090.json").plan.links.empty());
}

}  // namespace
}  // namespace oblea
