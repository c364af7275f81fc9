#include "workload/traffic.hpp"

#include <cmath>
#include <set>

#include <gtest/gtest.h>

namespace oblea {
namespace {

constexpr int kMany = 100000;

struct Moments {
  double mean = 0;
  double deviation = 0;
};

template <class Value>
Moments moments(const std::vector<Request>& requests, Value value) {
  Moments m;
  const auto n = static_cast<double>(requests.size());
  for (const Request& request : requests) m.mean += value(request) / n;
  for (const Request& request : requests) m.deviation += std::pow(value(request) - m.mean, 2) / (n - 1);
  m.deviation = std::sqrt(m.deviation);
  return m;
}

Traffic traffic_of(LengthKind kind, double mean, double variation) {
  Traffic traffic;
  traffic.requests = kMany;
  traffic.prompt = {kind, mean, variation, 1, 1 << 20};
  return traffic;
}

double prompt(const Request& request) { return request.prompt_tokens; }

// Five standard errors of mean and variance (rounding to whole tokens adds at most 1/2 and 1/12); moments in closed
// form.
TEST(Lengths, HaveTheMeanAndTheSpreadOfTheirDistribution) {
  // Kurtosis: uniform 9/5, exponential 9, lognormal w^4 + 2 w^3 + 3 w^2 - 3 with w = 1 + variation^2 = 1.64: 21.11.
  const struct {
    LengthKind kind;
    double variation, deviation, kurtosis;
  } cases[] = {{LengthKind::uniform, 0.5, 1000 * 0.5 / std::sqrt(3.0), 1.8},
               {LengthKind::exponential, 1, 1000, 9},
               {LengthKind::lognormal, 0.8, 800, 21.12}};
  for (const auto& c : cases) {
    const Moments m = moments(make_requests(traffic_of(c.kind, 1000, c.variation)), prompt);
    EXPECT_NEAR(m.mean, 1000, 5 * c.deviation / std::sqrt(double(kMany)) + 0.5);
    const double variance = c.deviation * c.deviation;
    EXPECT_NEAR(m.deviation * m.deviation, variance, 5 * variance * std::sqrt((c.kurtosis - 1) / kMany) + 1);
  }
}

TEST(Lengths, StayWithinTheirBounds) {
  Traffic traffic = traffic_of(LengthKind::lognormal, 500, 2);
  traffic.prompt.minimum = 100;
  traffic.prompt.maximum = 700;
  for (const Request& request : make_requests(traffic)) {
    ASSERT_GE(request.prompt_tokens, 100);
    ASSERT_LE(request.prompt_tokens, 700);
  }
}

TEST(Arrivals, OfAPoissonProcessAreSpacedExponentially) {
  Traffic traffic;
  traffic.arrivals = ArrivalKind::poisson;
  traffic.rate_per_s = 4;
  traffic.requests = kMany;
  const std::vector<Request> requests = make_requests(traffic);
  double before = 0, sum = 0, squares = 0;
  for (const Request& request : requests) {
    const double gap = request.arrival_s - before;
    ASSERT_GE(gap, 0);
    sum += gap;
    squares += gap * gap;
    before = request.arrival_s;
  }
  EXPECT_NEAR(sum / kMany, 0.25, 5 * 0.25 / std::sqrt(double(kMany)));
  EXPECT_NEAR(squares / kMany, 2 * 0.0625, 0.03 * 2 * 0.0625);  // E x^2 = 2 / rate^2
}

// Four requests a second in all.
std::vector<Request> bursts_of_five() {
  Traffic traffic;
  traffic.arrivals = ArrivalKind::bursts;
  traffic.rate_per_s = 4;
  traffic.burst_requests = 5;
  traffic.requests = kMany;
  return make_requests(traffic);
}

TEST(Arrivals, OfBurstsComeTogetherAtTheSameRate) {
  const std::vector<Request> requests = bursts_of_five();
  for (std::size_t i = 0; i < requests.size(); ++i) ASSERT_EQ(requests[i].arrival_s, requests[i / 5 * 5].arrival_s);
  EXPECT_NEAR(requests.back().arrival_s, kMany / 4.0, 5 * kMany / 4.0 / std::sqrt(kMany / 5.0));
}

// Bursts of 5: gaps of mean 5 / 4 s, second moment 2 (5 / 4)^2, whose standard error is sqrt(20) (5 / 4)^2 / sqrt(n).
TEST(Arrivals, OfBurstsAreSpacedExponentially) {
  const std::vector<Request> requests = bursts_of_five();
  double before = 0, squares = 0;
  for (std::size_t i = 0; i < requests.size(); i += 5) {
    squares += std::pow(requests[i].arrival_s - before, 2);
    before = requests[i].arrival_s;
  }
  const double bursts = kMany / 5.0;
  EXPECT_NEAR(squares / bursts, 2 * 1.5625, 5 * std::sqrt(20 / bursts) * 1.5625);
}

// The example of play_trace, and only the first two of three.
TEST(Traces, ArePlayedAtTheirSpeedAndInPart) {
  Traffic traffic;
  traffic.arrivals = ArrivalKind::trace;
  traffic.trace =
      std::make_shared<const std::vector<Request>>(std::vector<Request>{{0, 10, 1}, {3, 20, 2, 7, 16}, {8, 30, 3}});
  traffic.speed = 2;
  traffic.requests = 3;
  const std::vector<Request> all = make_requests(traffic);
  ASSERT_EQ(all.size(), 3u);
  EXPECT_EQ(all[1].arrival_s, 1.5);
  EXPECT_EQ(all[2].arrival_s, 4);
  EXPECT_EQ(all[1].prefix, 7);
  EXPECT_EQ(all[1].prefix_tokens, 16);
  traffic.requests = 2;
  EXPECT_EQ(make_requests(traffic).size(), 2u);
}

TEST(Traffic, OneUseOfChanceMovesNoOther) {
  Traffic traffic = traffic_of(LengthKind::lognormal, 500, 1);
  traffic.requests = 200;
  traffic.arrivals = ArrivalKind::poisson;
  const std::vector<Request> before = make_requests(traffic);
  traffic.output = {LengthKind::exponential, 300, 1, 1, 1 << 20};
  traffic.prefix_groups = 3;
  traffic.prefix_tokens = 64;
  const std::vector<Request> after = make_requests(traffic);
  std::set<int> groups;
  for (std::size_t i = 0; i < before.size(); ++i) {
    EXPECT_EQ(before[i].arrival_s, after[i].arrival_s);
    EXPECT_EQ(before[i].prompt_tokens, after[i].prompt_tokens);
    EXPECT_LE(after[i].prefix_tokens, after[i].prompt_tokens);
    groups.insert(after[i].prefix);
  }
  EXPECT_EQ(groups, (std::set<int>{0, 1, 2}));
  traffic.seed = 2;
  EXPECT_NE(make_requests(traffic)[0].arrival_s, before[0].arrival_s);
}

}  // namespace
}  // namespace oblea
