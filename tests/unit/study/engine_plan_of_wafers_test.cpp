#include "study/engine_plan_of_wafers.hpp"

#include <gtest/gtest.h>

#include "support/repository.hpp"

namespace oblea {
namespace {

const char* const kKimi = "scenarios/wafer/kimi-k3.json";

EnginePlan wafer_plan(const std::vector<ScenarioSetting>& settings = {}) {
  return plan_wafer_chain(test::repository_scenario(kKimi, settings), test::repository_library()).value().first_plan();
}

// 1 / TPOT of one request alone is the rate that `place` gives a user, in order and out of order.
TEST(EnginePlanOfWafers, ATokensWayIsThatOfPlace) {
  for (const char* rule : {"full_attention_alone", "any_order"}) {
    const std::vector<ScenarioSetting> settings = {{"wafers.rule", rule, "test"}};
    double way = 0;
    for (const StagePlan& stage : wafer_plan(settings).stages) {
      way += stage.decode_s(1) + stage.hop_latency_s + stage.hop_s_per_token;
    }
    const double placed = test::value_of(test::place_repository(kKimi, settings).metrics, "decode_tokens_per_s");
    EXPECT_NEAR(1 / way / placed, 1, 1e-9) << rule;
  }
}

// 70 wafers hold 59,534 tokens for each of 400 requests.
TEST(EnginePlanOfWafers, FullAttentionWafersBoundTheCache) {
  const EnginePlan plan = wafer_plan();
  EXPECT_EQ(plan.stages.size(), 70u);
  EXPECT_EQ(plan.serving.micro_batches, 70);
  EXPECT_NEAR(plan.serving.cache_tokens, 400 * 59534.0, 400);
}

// Stages of 2 and 3 us: one sequence a group, 8 requests, 2 in flight: TPOT max(5, 6) = 6 us, 333,333 tokens/s.
TEST(MicroBatchRows, AreAClosedPipeline) {
  EnginePlan plan;
  plan.stages.resize(2);
  plan.stages[0].decode_s = [](int) { return 2e-6; };
  plan.stages[1].decode_s = [](int) { return 3e-6; };
  const std::vector<MicroBatchRow> rows = micro_batch_rows(plan, 8);
  ASSERT_EQ(rows.size(), 4u);
  EXPECT_EQ(rows[0].in_flight, 2);
  EXPECT_NEAR(rows[0].tpot_s, 6e-6, 1e-15);
  EXPECT_NEAR(rows[0].tokens_per_s, 2 / 6e-6, 1e-3);
  EXPECT_EQ(rows[3].sequences, 8);
  EXPECT_NEAR(rows[3].tpot_s, 5e-6, 1e-15) << "one group leaves a stage empty";
}

TEST(MicroBatchRows, MoreInAGroupGiveMoreTokensAndEachWaitsLonger) {
  const std::vector<MicroBatchRow> rows = micro_batch_rows(wafer_plan(), 560);
  ASSERT_GE(rows.size(), 4u);
  for (std::size_t i = 1; i < 4; ++i) {  // 8 x 70 wafers = 560: still as many groups as wafers
    EXPECT_GT(rows[i].tokens_per_s, rows[i - 1].tokens_per_s);
    EXPECT_GT(rows[i].tpot_s, rows[i - 1].tpot_s);
  }
}

}  // namespace
}  // namespace oblea
