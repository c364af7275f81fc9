#include "study/run_figures.hpp"

#include <gtest/gtest.h>

namespace oblea {
namespace {

double figure(const std::vector<Figure>& figures, const std::string& name) {
  for (const Figure& f : figures) {
    if (f.name == name) return f.value;
  }
  ADD_FAILURE() << name;
  return -1;
}

// Arrival 1, admitted 1.5, first token at `first`, last at `last`.
RequestResult request(double first, double last, int tokens, Outcome outcome = Outcome::finished) {
  return {1, 1.5, first, last, 100, tokens, 0, 0, 0, outcome};
}

TEST(Percentile, IsTheNearestRank) {
  std::vector<double> twenty;
  for (int i = 1; i <= 20; ++i) twenty.push_back(i);
  EXPECT_EQ(percentile(twenty, 95), 19);
  EXPECT_EQ(percentile(twenty, 99), 20);
  EXPECT_EQ(percentile({1, 2, 3}, 50), 2);
  EXPECT_EQ(percentile({7}, 50), 7);
}

// First tokens 1 and 3 s after arrival; 11 tokens in 2 s are 10 gaps of 0.2 s, 5 tokens in 2 s 4 gaps of 0.5 s.
TEST(RunFigures, AreTimesFromArrival) {
  EngineResult result;
  result.requests = {request(2, 4, 11), request(4, 6, 5)};
  result.end_s = 8;
  result.output_tokens = 16;
  const std::vector<Figure> figures = run_figures({}, result, {});
  EXPECT_DOUBLE_EQ(figure(figures, "ttft_mean_s"), 2);
  EXPECT_DOUBLE_EQ(figure(figures, "tpot_mean_s"), 0.35);
  EXPECT_DOUBLE_EQ(figure(figures, "e2e_p99_s"), 5);
  EXPECT_DOUBLE_EQ(figure(figures, "throughput_tokens_per_s"), 2);
  EXPECT_DOUBLE_EQ(figure(figures, "requests_per_s"), 0.25);
}

TEST(RunFigures, ARejectedRequestCountsAgainstGoodputOnly) {
  EngineResult result;
  result.requests = {request(2, 4, 11), request(0, 0, 0, Outcome::rejected)};
  result.end_s = 4;
  const std::vector<Figure> figures = run_figures({}, result, {});
  EXPECT_EQ(figure(figures, "rejected_requests"), 1);
  EXPECT_EQ(figure(figures, "goodput_percent"), 50);
  EXPECT_DOUBLE_EQ(figure(figures, "ttft_mean_s"), 1);
}

// The second waits 3 s for its first token.
TEST(RunFigures, GoodputIsWhatMeetsEveryBound) {
  EngineResult result;
  result.requests = {request(2, 4, 11), request(4, 6, 5)};
  EXPECT_EQ(goodput_share(result, {.ttft_s = 2}), 0.5);
  EXPECT_EQ(goodput_share(result, {.ttft_s = 3, .tpot_s = 0.5}), 1);
  EXPECT_EQ(goodput_share(result, {.tpot_s = 0.1}), 0);
  EXPECT_EQ(goodput_share(result, {.e2e_s = 3}), 0.5);
}

TEST(RunFigures, OneTokenHasNoTimeBetweenTokens) {
  EngineResult result;
  result.requests = {request(2, 2, 1)};
  EXPECT_EQ(figure(run_figures({}, result, {}), "tpot_mean_s"), 0);
  EXPECT_EQ(goodput_share(result, {.tpot_s = 1e-9}), 1);
}

}  // namespace
}  // namespace oblea
