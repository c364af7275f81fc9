#include "engine/pass_cost.hpp"

#include <limits>
#include <stdexcept>

#include <gtest/gtest.h>

#include "support/engine_plans.hpp"

namespace oblea {
namespace {

using test::constant_stage;
using test::plan_of;

// The example of the header, and its edges.
TEST(PassCost, AttendedTokensOfARow) {
  EXPECT_EQ(attended_sum(10, 12, 5), 10 + 11 + 12 + 12 + 12);
  EXPECT_EQ(attended_sum(10, 0, 5), 10 + 11 + 12 + 13 + 14);
  EXPECT_EQ(attended_sum(12, 12, 3), 3 * 12);
  EXPECT_EQ(attended_sum(10, 14, 5), 10 + 11 + 12 + 13 + 14);
  EXPECT_EQ(attended_sum(100, 12, 1), 12);
}

TEST(PassCost, ARowIsTheSumOfItsPasses) {
  for (const double window : {0.0, 1.0, 7.0, 20.0, 1000.0}) {
    for (int context = 1; context < 25; ++context) {
      double sum = 0;
      for (int pass = 0; pass < 30; ++pass) {
        sum += attended_sum(context + pass, window, 1);
        ASSERT_DOUBLE_EQ(attended_sum(context, window, pass + 1), sum) << context << ", window " << window;
      }
    }
  }
}

// Two stages. Decoding 2 sequences with contexts 10 and 30, 3 passes in a row:
//   first: 3 x (1 + 2 x 0.5) ms + (10 + 11 + 12 + 30 + 31 + 32) x 1 us = 6.126 ms
//   second: 3 x 2 ms, windowed to 11: (10 + 11 + 11 + 3 x 11) x 1 us = 6.065 ms, collective 3 x 2 x 0.1 ms = 0.6 ms,
//   hop 3 x (0.2 + 2 x 0.05) ms = 0.9 ms
TEST(PassCost, WorkCollectivesAndHopsOfARow) {
  EnginePlan plan = plan_of({constant_stage(0), constant_stage(2e-3)}, 2);
  plan.stages[0].decode_s = [](int sequences) { return 1e-3 + 5e-4 * sequences; };
  plan.stages[0].attended = {{1e-6, 0}};
  plan.stages[1].attended = {{4e-7, 11}, {6e-7, 11}};
  plan.stages[1].collective_s = [](double tokens) { return 1e-4 * tokens; };
  plan.stages[1].hop_latency_s = 2e-4;
  plan.stages[1].hop_s_per_token = 5e-5;
  plan.stages[0].hop_latency_s = 7;  // there is no stage before the first
  plan.serving.overhead_s = 1e-5;
  const PassCost cost(plan);
  const std::vector<double> contexts = {10, 30};
  std::vector<StageTime> stages;
  cost.measure(contexts, {}, 3, stages);
  EXPECT_NEAR(stages[0].work_s, 6.126e-3, 1e-15);
  EXPECT_EQ(stages[0].hop_s, 0);
  EXPECT_NEAR(stages[1].work_s, 6.065e-3, 1e-15);
  EXPECT_NEAR(stages[1].collective_s, 6e-4, 1e-15);
  EXPECT_NEAR(stages[1].hop_s, 9e-4, 1e-15);
  EXPECT_NEAR(cost.iteration_s(contexts, {}, 3), 6.126e-3 + 6.065e-3 + 6e-4 + 9e-4 + 3e-5, 1e-15);
}

// Chunks of 8 tokens behind 100 and 24 behind 20: 32 tokens at a mean depth of (8 x 100 + 24 x 20) / 32 = 40. One
// sequence decodes along: its token is read with the same weights, 33 in all, and its cache of 50 is read.
TEST(PassCost, APassOfPromptsAndDecodingReadsWeightsOnce) {
  EnginePlan plan = plan_of({constant_stage(1)}, 3);
  plan.stages[0].prefill_s = [](double tokens, double depth) { return 1e-3 * tokens + 1e-5 * depth; };
  plan.stages[0].attended = {{1e-6, 0}};
  const std::vector<double> contexts = {50};
  const std::vector<Chunk> chunks = {{8, 100}, {24, 20}};
  std::vector<StageTime> stages;
  PassCost(plan).measure(contexts, chunks, 1, stages);
  EXPECT_NEAR(stages[0].work_s, 33e-3 + 40e-5 + 50e-6, 1e-15);
}

TEST(PassCost, WhatIsNoTimeIsThrown) {
  const double wrong[] = {-1e-3, std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()};
  for (const double seconds : wrong) {
    EnginePlan plan = plan_of({constant_stage(1e-3)}, 2);
    plan.stages[0].decode_s = [seconds](int sequences) { return sequences > 1 ? seconds : 1e-3; };
    const PassCost cost(plan);
    std::vector<StageTime> stages;
    const std::vector<double> one = {5}, two = {5, 6};
    EXPECT_NO_THROW(cost.measure(one, {}, 1, stages));
    EXPECT_THROW(cost.measure(two, {}, 1, stages), std::domain_error) << seconds;
  }
}

}  // namespace
}  // namespace oblea
