// `oblea simulate scenarios/wafer/kimi-k3-serving.json`: what is said of Kimi K3 on wafers, against arithmetic.
#include <gtest/gtest.h>

#include "study/simulate.hpp"
#include "support/repository.hpp"

namespace oblea {
namespace {

const char* const kServing = "scenarios/wafer/kimi-k3-serving.json";

Report simulated(const Scenario& scenario) {
  return run_simulate(scenario, test::repository_library(), test::repository_timing(), {}).value().report;
}

struct Expected {
  ClaimOutcome outcome;
  const char* words;  // how the computed value begins
};

// A layer 7.5 us, a hop 2 us and 78.8 kB at 300 GB/s (0.26 us), a wafer 46 kW.
TEST(SimulateKimiK3, ClaimsAreJudgedByTheirArithmetic) {
  constexpr ClaimOutcome kConfirmed = ClaimOutcome::confirmed;
  constexpr ClaimOutcome kRefuted = ClaimOutcome::refuted;
  const Expected expected[] = {
      {kConfirmed, "1,171"},                    // 1 / (93 x 7.5 + 69 x 2.26 = 854 us)
      {kRefuted, "1,248"},                      // 46 hops: 802 us, 6 % less
      {kRefuted, "1,171"},                      // out of order tokens come back: still 69 hops
      {kRefuted, "18.3"},                       // 156 of 854 us
      {kConfirmed, "13.0"},                     // 104 of 802 us
      {kRefuted, "952"},                        // the wafers of two layers take turns: 70 x 15 us = 1,050 us
      {kConfirmed, "773"},                      // 70 x (15 + 7 x 0.5) us = 1,294 us
      {kRefuted, "430,"},                       // 560 / 1,294 us, less the first and the last pass: 6.5 times
      {kConfirmed, "133,"},                     // / 3.22 MW
      {kConfirmed, "166,"},                     // 376 / 1,040 us / 2.162 MW
      {kConfirmed, "152,"},                     // 472 / 1,135 us / 2.714 MW
      {kConfirmed, "yes"},                      // 23.8 M tokens / 560 = 42.5k
      {kConfirmed, "yes"},   {kRefuted, "no"},  // 17.0k
      {kConfirmed, "yes"},
  };
  const Report report = simulated(test::repository_scenario(kServing));
  ASSERT_EQ(report.claims.size(), std::size(expected));
  for (std::size_t i = 0; i < report.claims.size(); ++i) {
    const ClaimRow& row = report.claims[i];
    EXPECT_EQ(row.outcome, expected[i].outcome) << row.statement << ": " << row.computed;
    EXPECT_TRUE(row.computed.starts_with(expected[i].words)) << row.statement << ": " << row.computed;
    if (row.outcome == kRefuted) {
      EXPECT_FALSE(row.arithmetic.empty()) << row.statement;
    }
  }
}

// Larger micro-batches give more in all and less to each; the power stays.
TEST(SimulateKimiK3, MicroBatchesTradeAUsersRateForThroughput) {
  double each = 2000, all = 0;
  for (const int size : {1, 2, 4, 8}) {
    Scenario scenario = test::repository_scenario(kServing);
    scenario.claims.clear();
    scenario.traffic.users = scenario.traffic.requests = 70 * size;
    const Report report = simulated(scenario);
    EXPECT_LT(test::value_of(report.metrics, "decode_tokens_per_s"), each) << size;
    EXPECT_GT(test::value_of(report.metrics, "throughput_tokens_per_s"), all) << size;
    EXPECT_NEAR(test::value_of(report.metrics, "power_mw"), 70 * 0.046, 1e-9);
    each = test::value_of(report.metrics, "decode_tokens_per_s");
    all = test::value_of(report.metrics, "throughput_tokens_per_s");
    EXPECT_NEAR(test::value_of(report.metrics, "tokens_per_s_per_mw"), all / 3.22, 1e-6 * all);
  }
}

}  // namespace
}  // namespace oblea
