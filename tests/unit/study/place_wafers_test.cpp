#include "study/place_wafers.hpp"

#include <gtest/gtest.h>

#include "support/repository.hpp"

namespace oblea {
namespace {

using test::value_of;

Scenario scenario(const char* model, const char* mixture, const char* rule, double users = 4,
                  const char* device = "wse-3t") {
  Scenario s = test::scenario_of({{"model.id", model, "test"},
                                  {"model.quantisation", mixture, "test"},
                                  {"wafers.device", device, "test"},
                                  {"wafers.rule", rule, "test"}});
  s.workload.users = users;
  return s;
}

Report placed(const Scenario& s) { return place_wafers(s, test::repository_library()).value(); }

// 126 layers of 6.38 GB: two a wafer of 44 GB, or one alone.
TEST(PlaceWafers, ADenseModelTakesHalfAsManyWafersAsLayersOrAllOfThem) {
  EXPECT_EQ(value_of(placed(scenario("llama-3.1-405b", "BF16", "two_everywhere")).metrics, "wafers"), 63);
  EXPECT_EQ(value_of(placed(scenario("llama-3.1-405b", "BF16", "full_attention_alone")).metrics, "wafers"), 126);
}

TEST(PlaceWafers, WithoutStateNoCountOfRequestsIsTold) {
  const Report dense = placed(scenario("llama-3.1-405b", "BF16", "two_everywhere"));
  EXPECT_EQ(find_metric(dense.metrics, "requests_max"), nullptr);
  EXPECT_EQ(find_metric(dense.metrics, "requests_max_matrix_state_only"), nullptr);
  for (const OptionRow& row : dense.options) {
    EXPECT_EQ(row.words.find("state"), std::string::npos) << row.words;
    EXPECT_NE(row.words.find("at 4"), std::string::npos) << row.words;
  }
  const Report hybrid = placed(scenario("kimi-k3", "MXFP4_BF16", "two_everywhere"));
  EXPECT_NE(find_metric(hybrid.metrics, "requests_max"), nullptr);
}

// Two layers of 6.38 GB leave 31.2 GB; a token of two layers is 2 x 2 x 8 x 128 x 2 B = 8,192 B: 3.81 M tokens.
TEST(PlaceWafers, KvTokensAreWhatTheWeightsLeave) {
  const Report report = placed(scenario("llama-3.1-405b", "BF16", "two_everywhere"));
  const double free = 44e9 - 2 * value_of(report.metrics, "layer_weights_full_gb") * 1e9;
  EXPECT_NEAR(value_of(report.metrics, "kv_tokens"), free / 8192, 2e3);
}

TEST(PlaceWafers, TheContextThatFitsIsTheContextThatIsTold) {
  Scenario s = scenario("llama-3.1-405b", "BF16", "two_everywhere", 64);
  const double tokens = test::find_option(placed(s), "two_everywhere")->tokens;
  s.workload.context = Tokens(tokens);
  EXPECT_EQ(value_of(placed(s).metrics, "fits"), 1);
  s.workload.context = Tokens(tokens + 1);
  EXPECT_EQ(value_of(placed(s).metrics, "fits"), 0);
}

// A layer of 16.99 GB on a wafer of 10 GB.
TEST(PlaceWafers, ALayerLargerThanAWaferIsAnAnswer) {
  ProfileLibrary library = test::repository_library();
  library.devices.at("wse-3t").memory.value = Bytes(10e9);
  const Report report = place_wafers(scenario("kimi-k3", "MXFP4_BF16", "two_everywhere"), library).value();
  EXPECT_EQ(value_of(report.metrics, "fits"), 0);
  ASSERT_FALSE(report.verdicts.empty());
  EXPECT_NE(report.verdicts[0].words.find("larger than a wafer"), std::string::npos);
  EXPECT_TRUE(report.placement.empty());
}

// In order KDA KDA | KDA | MLA: 23 pairs are neighbours, so 92 - 23 = 69 crossings. Out of order the thirds are paired
// with each other: fewer wafers, and as many crossings.
TEST(PlaceWafers, OutOfOrderTakesFewerWafersAndNoFewerHops) {
  const Report in_order = placed(scenario("kimi-k3", "MXFP4_BF16", "full_attention_alone"));
  const Report any = placed(scenario("kimi-k3", "MXFP4_BF16", "any_order"));
  EXPECT_LT(value_of(any.metrics, "wafers"), value_of(in_order.metrics, "wafers"));
  EXPECT_GE(value_of(any.metrics, "hop_share_percent"), value_of(in_order.metrics, "hop_share_percent") - 1e-9);
}

TEST(PlaceWafers, PowerIsThatOfAllWafers) {
  const Report report = placed(scenario("llama-3.1-405b", "BF16", "two_everywhere", 4, "wse-3"));
  EXPECT_NEAR(value_of(report.metrics, "power_mw"), 63 * 23e-3, 1e-9);
  EXPECT_NEAR(value_of(report.metrics, "tokens_per_s_per_mw"),
              value_of(report.metrics, "decode_total_tokens_per_s") / value_of(report.metrics, "power_mw"), 1e-6);
}

TEST(PlaceWafers, AWaferWhoseLayerTimeNobodyKnowsIsAFault) {
  ProfileLibrary library = test::repository_library();
  library.devices.at("wse-3t").layer_latency.reset();
  EXPECT_FALSE(place_wafers(scenario("kimi-k3", "MXFP4_BF16", "two_everywhere"), library));
}

}  // namespace
}  // namespace oblea
