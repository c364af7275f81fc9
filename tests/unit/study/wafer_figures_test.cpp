#include "study/wafer_figures.hpp"

#include <gtest/gtest.h>

#include "support/repository.hpp"

namespace oblea {
namespace {

// The example of the header, with work from 0.4 to 1.1 times and a power that is known within 25 %.
TEST(WaferFigures, AreMadeOfARunsFigures) {
  std::vector<Metric> metrics = {
      make_metric("tpot_mean_s", 0.8e-3, "s", 0.5e-3, 1e-3, Origin::estimate),
      make_metric("throughput_tokens_per_s", 60000, "tokens/s", 50000, 90000, Origin::estimate)};
  SimulatedPlan simulated;
  simulated.megawatts = 2;
  simulated.megawatts_spread = 0.25;
  simulated.low.decode = 0.4;
  simulated.high.decode = 1.1;
  EngineResult result;
  result.stage_work_s = {100, 84};
  result.stage_network_s = {0, 46};
  add_wafer_figures(metrics, simulated, result);
  EXPECT_NEAR(test::value_of(metrics, "decode_tokens_per_s"), 1250, 1e-9);
  EXPECT_NEAR(test::value_of(metrics, "hop_share_percent"), 20, 1e-9);
  EXPECT_NEAR(test::value_of(metrics, "power_mw"), 2, 1e-12);
  EXPECT_NEAR(test::value_of(metrics, "tokens_per_s_per_mw"), 30000, 1e-9);
  EXPECT_NEAR(find_metric(metrics, "decode_tokens_per_s")->low, 1000, 1e-9);
  EXPECT_NEAR(find_metric(metrics, "hop_share_percent")->low, 100 * 46 / (46 + 184 * 1.1), 1e-9);
  EXPECT_NEAR(find_metric(metrics, "hop_share_percent")->high, 100 * 46 / (46 + 184 * 0.4), 1e-9);
  EXPECT_NEAR(find_metric(metrics, "tokens_per_s_per_mw")->low, 50000 / 2.5, 1e-9);
}

// Two wafers of 15 and 7.5 us, one hop of 2 + 0.25 us.
TEST(TokenWayWords, ShowTheSum) {
  EnginePlan plan;
  plan.stages.resize(2);
  plan.stages[0].decode_s = [](int) { return 15e-6; };
  plan.stages[1].decode_s = [](int) { return 7.5e-6; };
  plan.stages[1].hop_latency_s = 2e-6;
  plan.stages[1].hop_s_per_token = 0.25e-6;
  EXPECT_EQ(
      token_way_words(plan, 3, 1),
      "a token's way alone: 3 layers 22.5 us + 1 hops 2.2 us = 24.8 us; the slowest wafer takes 15.0 us, 2 in turn "
      "30.0 us");
}

}  // namespace
}  // namespace oblea
