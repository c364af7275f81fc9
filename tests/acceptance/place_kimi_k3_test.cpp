// `oblea place scenarios/wafer/kimi-k3.json`: 2.8 T parameters over wafers of 44 GB.
#include <cmath>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/repository.hpp"

namespace oblea {
namespace {

using test::place_repository;
using test::value_of;
using ::testing::HasSubstr;

const char* kScenario = "scenarios/wafer/kimi-k3.json";

Report under(const char* rule) { return place_repository(kScenario, {{"wafers.rule", rule, "test"}}); }

TEST(PlaceKimiK3, HasNinetyThreeLayersOfTwoKinds) {
  const Report report = place_repository(kScenario);
  EXPECT_EQ(value_of(report.metrics, "layers"), 93);
  EXPECT_EQ(value_of(report.metrics, "layers_linear_attention"), 69);
  EXPECT_EQ(value_of(report.metrics, "layers_full_attention"), 24);
}

// 896 experts x 33.03 M weights x 4.25 bits = 15.72 GB, and a trunk in 16 bits: 16.99 GB (KDA), 16.56 GB (MLA).
TEST(PlaceKimiK3, ALayerTakesSixteenAndAHalfToSeventeenGb) {
  const Report report = place_repository(kScenario);
  for (const char* name : {"layer_weights_linear_gb", "layer_weights_full_gb"}) {
    EXPECT_GE(value_of(report.metrics, name), 16.5) << name;
    EXPECT_LE(value_of(report.metrics, name), 17.0) << name;
  }
  EXPECT_NEAR(value_of(report.metrics, "layer_weights_linear_gb"), 16.99, 0.02);
  EXPECT_NEAR(value_of(report.metrics, "layer_weights_full_gb"), 16.56, 0.02);
}

struct RuleRow {
  const char* rule;
  double wafers;
  double kv_tokens;
  double tokens_at_400;
};

// In order, KDA KDA | KDA | MLA repeats: 3 wafers a group of 4 layers. Two everywhere: 93 / 2 rounded up. Out of order:
// 24 alone and 69 / 2 rounded up. MLA alone leaves 44 - 16.56 = 27.44 GB / 1,152 B = 23.8 M tokens; beside a KDA
// layer 10.45 GB = 9.1 M. At 400 requests: 23.8 M / 400 = 59.5k; (10.45 GB - 400 x 6.5 MB) / 1,152 B / 400 = 17.0k.
TEST(PlaceKimiK3, EachRuleTakesItsWafersAndLeavesItsTokens) {
  for (const RuleRow& row : {RuleRow{"full_attention_alone", 70, 23.8e6, 59500},
                             RuleRow{"two_everywhere", 47, 9.1e6, 17000}, RuleRow{"any_order", 59, 23.8e6, 59500}}) {
    const Report report = under(row.rule);
    EXPECT_EQ(value_of(report.metrics, "wafers"), row.wafers) << row.rule;
    EXPECT_NEAR(value_of(report.metrics, "kv_tokens"), row.kv_tokens, 0.01 * row.kv_tokens) << row.rule;
    const OptionRow* option = test::find_option(report, row.rule);
    ASSERT_NE(option, nullptr);
    EXPECT_NEAR(option->tokens, row.tokens_at_400, 0.01 * row.tokens_at_400) << row.rule;
    EXPECT_THAT(option->words, HasSubstr("at 400")) << row.rule;
  }
}

// Two KDA layers leave 10.02 GB. A request's state is 2 x 6.29 MB: 796 requests; with the tail of the short convolution
// 2 x 6.51 MB: 769.
TEST(PlaceKimiK3, TheWafersOfLinearLayersBoundTheRequests) {
  for (const char* rule : {"full_attention_alone", "two_everywhere", "any_order"}) {
    const Report report = under(rule);
    EXPECT_EQ(value_of(report.metrics, "requests_max"), 769) << rule;
    EXPECT_EQ(value_of(report.metrics, "requests_max_matrix_state_only"), 796) << rule;
  }
}

// 23.8 M / 769 = 31.0k; two everywhere: (10.45 GB - 769 x 6.51 MB) / 1,152 B / 769 = 6.1k.
TEST(PlaceKimiK3, AtMostRequestsEachHasThisMuchContext) {
  EXPECT_NEAR(value_of(under("full_attention_alone").metrics, "tokens_per_request_at_max"), 31000, 100);
  EXPECT_NEAR(value_of(under("two_everywhere").metrics, "tokens_per_request_at_max"), 6150, 100);
}

TEST(PlaceKimiK3, EveryWaferOfTheTableHoldsWhatItSays) {
  for (const char* rule : {"full_attention_alone", "two_everywhere", "any_order"}) {
    const Report report = under(rule);
    ASSERT_EQ(report.placement.size(), static_cast<std::size_t>(value_of(report.metrics, "wafers"))) << rule;
    double weights = 0;
    for (const DeviceRow& row : report.placement) {
      EXPECT_LE((row.weights + row.kv + row.state + row.runtime).value(), 44e9) << rule << " " << row.device;
      EXPECT_GE(row.free.value(), 0) << rule << " " << row.device;
      EXPECT_NEAR((row.weights + row.kv + row.state + row.free).value(), 44e9, 1) << rule << " " << row.device;
      weights += row.weights.value() / 1e9;
    }
    // 69 KDA layers of which the first is dense, and 24 MLA: all but embedding and head of 1,560 GB.
    EXPECT_NEAR(weights, value_of(report.metrics, "weights_gb") - 2 * 2.35, 0.5) << rule;
  }
}

// 70 hops of 2 us and their payload beside 93 layers of 7.5 us: hops are not what limits.
TEST(PlaceKimiK3, HopsTakeUnderHalfOfATokensWay) {
  const Report report = place_repository(kScenario);
  const Metric* share = find_metric(report.metrics, "hop_share_percent");
  ASSERT_NE(share, nullptr);
  EXPECT_GT(share->value, 10);
  EXPECT_LT(share->high, 50);
}

TEST(PlaceKimiK3, MoreRequestsThanTheStateAllowsDoNotFit) {
  EXPECT_EQ(
      value_of(place_repository(kScenario, {{"workload.users", "769", "test"}, {"workload.context", "30000", "test"}})
                   .metrics,
               "fits"),
      1);
  EXPECT_EQ(
      value_of(place_repository(kScenario, {{"workload.users", "770", "test"}, {"workload.context", "30000", "test"}})
                   .metrics,
               "fits"),
      0);
}

}  // namespace
}  // namespace oblea
