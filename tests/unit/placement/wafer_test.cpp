#include "placement/wafer.hpp"

#include <gtest/gtest.h>

#include "unit/llm/library_models.hpp"
#include "unit/placement/footprints.hpp"

namespace oblea {
namespace {

constexpr Bytes kSram{44e9};

WaferPlan kimi(WaferRule rule) { return plan_wafers(test::kimi_k3_by_numbers(), kSram, {rule, 2}); }

// 23 times (KDA, KDA | KDA | MLA) are 3 wafers for 4 layers, and layer 93: 23 x 3 + 1 = 70.
TEST(Wafer, FullAttentionAloneInOrderTakes70Wafers) {
  const WaferPlan plan = kimi(WaferRule::full_attention_alone);
  ASSERT_EQ(plan.wafers.size(), 70u);
  EXPECT_EQ(plan.wafers[0].layers, (std::vector{0, 1}));
  EXPECT_EQ(plan.wafers[1].layers, (std::vector{2}));
  EXPECT_EQ(plan.wafers[2].layers, (std::vector{3}));
  EXPECT_EQ(plan.wafers[69].layers, (std::vector{92}));
}

TEST(Wafer, TwoEverywhereTakes47AndAnyOrder59) {
  EXPECT_EQ(kimi(WaferRule::two_everywhere).wafers.size(), 47u);  // ceil(93 / 2)
  EXPECT_EQ(kimi(WaferRule::any_order).wafers.size(), 59u);       // 24 + ceil(69 / 2)
}

// Two KDA layers: 44 - 33.98 = 10.02 GB over 2 x 6.291456 MB = 796.3 requests.
TEST(Wafer, StateOfLinearLayersBoundsTheRequests) {
  for (const WaferRule rule : {WaferRule::full_attention_alone, WaferRule::two_everywhere, WaferRule::any_order}) {
    EXPECT_EQ(kimi(rule).requests_max, 796) << wafer_rule_name(rule);
  }
}

// MLA alone: 27.44 GB / 1,152 B = 23.82 M tokens: 29.9k each of 796, 59.5k each of 400.
// MLA and KDA: (10.45 - 796 x 0.006291456) GB / 1,152 B = 4.72 M: 5.9k; at 400 (10.45 - 2.52) / 1,152 = 6.89 M: 17.2k.
TEST(Wafer, MoreWafersLeaveMoreContext) {
  const WaferPlan alone = kimi(WaferRule::full_attention_alone);
  const WaferPlan pairs = kimi(WaferRule::two_everywhere);
  EXPECT_NEAR(alone.kv_tokens.value(), 23.82e6, 0.01e6);
  EXPECT_NEAR(tokens_per_request(alone, 796).value(), 29.9e3, 0.05e3);
  EXPECT_NEAR(tokens_per_request(alone, 400).value(), 59.5e3, 0.1e3);
  EXPECT_NEAR(tokens_per_request(pairs, 796).value(), 5.93e3, 0.02e3);
  EXPECT_NEAR(tokens_per_request(pairs, 400).value(), 17.2e3, 0.05e3);
  EXPECT_EQ(tokens_per_request(pairs, 797).value(), 0);
}

// The first wafer holds dense layer 1 and layer 2, 19.39 GB: 796 states (10.02 GB) and the embedding (2.35 GB) fit too.
// The last wafer is full of KV; without an extra one the head leaves (27.44 - 2.35) GB / 1,152 B / 796 = 27.4k tokens.
TEST(Wafer, HeadTakesAnExtraWaferOrContext) {
  const WaferPlan plan = kimi(WaferRule::full_attention_alone);
  const VocabularyPlace full = place_vocabulary(plan, 796, tokens_per_request(plan, 796));
  EXPECT_TRUE(full.embedding_on_first);
  EXPECT_FALSE(full.head_on_last);
  EXPECT_EQ(full.extra_wafers, 1);
  EXPECT_NEAR(full.tokens_without_extra.value(), 27.4e3, 0.05e3);
  const VocabularyPlace short_context = place_vocabulary(plan, 796, Tokens(27000));
  EXPECT_EQ(short_context.extra_wafers, 0);
}

TEST(Wafer, PlacesStagesInRingOrder) {
  const ModelFootprint model = test::kimi_k3_by_numbers();
  const WaferRules rules{WaferRule::full_attention_alone, 2};
  const std::vector<PlacementDevice> wafers(71, test::device("wafer", kSram.value(), 1 / 43.2e15));
  const PlacementAnswer answer = place_on_wafers(model, 796, Tokens(29900), rules, wafers);
  ASSERT_TRUE(fits(answer));
  const Placement& p = *placement_of(answer);
  ASSERT_EQ(p.stages.size(), 71u);
  EXPECT_TRUE(p.stages[0].holds_embedding);
  EXPECT_EQ(p.stages[70].layer_count, 0);
  EXPECT_TRUE(p.stages[70].holds_head);
  EXPECT_EQ(p.memory[70].weights, model.head);
  EXPECT_EQ(p.concurrency_max, 796);
  const std::vector<PlacementDevice> one_less(70, wafers[0]);
  EXPECT_FALSE(fits(place_on_wafers(model, 796, Tokens(29900), rules, one_less)));
  EXPECT_TRUE(fits(place_on_wafers(model, 796, Tokens(27000), rules, one_less)));
}

TEST(Wafer, RefusesMoreThanItsWafersHold) {
  const WaferRules rules{WaferRule::two_everywhere, 2};
  const std::vector<PlacementDevice> wafers(60, test::device("wafer", kSram.value()));
  const PlacementAnswer many = place_on_wafers(test::kimi_k3_by_numbers(), 900, Tokens(1000), rules, wafers);
  ASSERT_FALSE(fits(many));
  EXPECT_EQ(refusal_of(many)->why, WhyNot::cache_exceeds_memory);
  EXPECT_GT(refusal_of(many)->tightest_missing, Bytes(0));
  const PlacementAnswer large = place_on_wafers(test::dense_model(2, 45e9), 1, Tokens(1), rules, wafers);
  ASSERT_FALSE(fits(large));
  EXPECT_EQ(refusal_of(large)->why, WhyNot::layer_exceeds_wafer);
}

// Nothing is special about K3: 80 dense layers of 0.5 GB with KV, 88 a wafer by size, two by the rule, or as many as
// fit.
TEST(Wafer, OtherModelsFollowTheSameRules) {
  const ModelFootprint model = test::dense_model(80, 0.5e9, 4096);
  EXPECT_EQ(plan_wafers(model, kSram, {WaferRule::full_attention_alone, 2}).wafers.size(), 80u);
  EXPECT_EQ(plan_wafers(model, kSram, {WaferRule::two_everywhere, 2}).wafers.size(), 40u);
  EXPECT_EQ(plan_wafers(model, kSram, {WaferRule::two_everywhere, 0}).wafers.size(), 1u);
}

// The published configuration: an expert layer is 15.72 GB of experts at 4.25 bits and a 16-bit trunk. The state
// includes the short convolutions' tails, 0.22 MB, and the latent experts are narrower, so figures differ a little from
// those above.
TEST(Wafer, KimiK3FromItsConfiguration) {
  const ModelFootprint model = make_footprint(test::library_model("kimi-k3"), *find_mixture("MXFP4_BF16"));
  EXPECT_NEAR(model.layers[3].weights / kGB, 16.56, 0.2);
  const WaferPlan plan = plan_wafers(model, kSram, {WaferRule::full_attention_alone, 2});
  EXPECT_EQ(plan.wafers.size(), 70u);
  EXPECT_NEAR(plan.requests_max, 796, 0.05 * 796);
  EXPECT_NEAR(tokens_per_request(plan, 400).value(), 59.5e3, 1e3);
  EXPECT_EQ(plan_wafers(model, kSram, {WaferRule::two_everywhere, 2}).wafers.size(), 47u);
  EXPECT_EQ(plan_wafers(model, kSram, {WaferRule::any_order, 2}).wafers.size(), 59u);
}

}  // namespace
}  // namespace oblea
