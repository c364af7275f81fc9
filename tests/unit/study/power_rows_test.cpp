#include "study/power_rows.hpp"

#include <tuple>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/repository.hpp"

namespace oblea {
namespace {

using testing::HasSubstr;

MachinePower power_of(double decode, double peak, const Site& site, double cooling = 0) {
  MachinePower power;
  power.wall_decode = power.wall_prefill = {Watts(decode), Watts(decode), Watts(decode)};
  power.wall_peak = Watts(peak);
  power.mains = mains_of(site, Watts(cooling));
  power.circuit = assess_circuit(*power.mains.circuit, Watts(peak + cooling), site.other_loads);
  power.breaker = assess_breaker(power.mains, power.wall_decode);
  if (site.ups) power.ups = assess_ups_of(*site.ups, power.wall_peak, power.wall_decode);
  return power;
}

Site site_on(const char* circuit, double others = 0) {
  Site site;
  site.circuit = circuit;
  site.other_loads = Watts(others);
  return site;
}

std::vector<Verdict> verdicts_of(const MachinePower& power) {
  std::vector<Verdict> verdicts;
  add_power_verdicts(verdicts, {}, power);
  return verdicts;
}

TEST(PowerRows, TheLoadOfTheCircuitCountsWhatElseHangsOnIt) {
  std::vector<Metric> metrics;
  add_power_metrics(metrics, power_of(500, 1427, site_on("us-15a", 100), 34));
  EXPECT_EQ(test::value_of(metrics, "wall_peak_w"), 1427);
  EXPECT_EQ(test::value_of(metrics, "circuit_load_w"), 1561);
  EXPECT_DOUBLE_EQ(test::value_of(metrics, "circuit_limit_w"), 1440);
}

TEST(PowerRows, VerdictsOfTheCircuitAreNamedForFailOn) {
  for (const auto& [watts, name, answer] : {std::tuple{1000.0, "circuit", Answer::yes},
                                            {3000.0, "circuit-tight", Answer::tight},
                                            {3900.0, "circuit-overloaded", Answer::no}}) {
    const std::vector<Verdict> verdicts = verdicts_of(power_of(watts, watts, site_on("eu-16a")));
    ASSERT_EQ(verdicts.size(), 1u) << watts;
    EXPECT_EQ(verdicts[0].name, name);
    EXPECT_EQ(verdicts[0].answer, answer);
  }
}

// A breaker that nobody asked for and that holds is not worth a row; 1,163 + 2,000 W on 1,800 W is.
TEST(PowerRows, TheBreakerIsToldWhereAskedForOrWhereItMayOpen) {
  EXPECT_EQ(verdicts_of(power_of(1163, 1163, site_on("us-15a"))).size(), 1u);
  Site asked = site_on("us-15a");
  asked.breaker = BreakerCurve::us;
  EXPECT_EQ(verdicts_of(power_of(1163, 1163, asked)).back().name, "breaker");
  EXPECT_THAT(verdicts_of(power_of(1163, 1163, asked)).back().words, HasSubstr("does not open"));
  const MachinePower heater = power_of(1163, 1163, site_on("us-15a", 2000));
  EXPECT_EQ(verdicts_of(heater).back().name, "breaker-opens");
  EXPECT_EQ(verdicts_of(heater).back().answer, Answer::no);
  std::vector<Metric> metrics;
  add_supply_metrics(metrics, heater);
  EXPECT_NEAR(test::value_of(metrics, "breaker_load_percent"), 100 * 3163.0 / 1800, 1e-9);
  EXPECT_NEAR(test::value_of(metrics, "breaker_opens_after_s"), 105, 0.5);
  EXPECT_NEAR(find_metric(metrics, "breaker_opens_after_s")->low, 30, 0.5);
  EXPECT_NEAR(find_metric(metrics, "breaker_opens_after_s")->high, 368, 0.5);
  // 1.2 times: it may open, and need not; there is no time to give.
  const MachinePower close = power_of(4416, 4416, site_on("eu-16a"));
  EXPECT_EQ(verdicts_of(close).back().name, "breaker-tight");
  EXPECT_EQ(verdicts_of(close).back().answer, Answer::tight);
  metrics.clear();
  add_supply_metrics(metrics, close);
  EXPECT_EQ(find_metric(metrics, "breaker_opens_after_s"), nullptr);
}

// 432 Wh at 500 W: 26 minutes (16 to 39), the example of ups.hpp. 1,000 W at 0.95 is 1,053 VA: 111 % of 900 W.
TEST(PowerRows, AUpsIsHeldToItsRatingsAndItsBattery) {
  Site site = site_on("eu-16a");
  site.ups = Ups{1500, Watts(900), Joules(432 * 3600.0)};
  const MachinePower power = power_of(500, 1000, site);
  const Verdict over = verdicts_of(power).back();
  EXPECT_EQ(over.name, "ups-overloaded");
  EXPECT_THAT(over.words, HasSubstr("111 % of its 1500 VA / 900 W"));
  std::vector<Metric> metrics;
  add_supply_metrics(metrics, power);
  const Metric* time = find_metric(metrics, "ups_run_time_s");
  ASSERT_NE(time, nullptr);
  EXPECT_NEAR(time->value / 60, 26, 0.5);
  EXPECT_NEAR(time->low / 60, 16, 0.5);
  EXPECT_NEAR(time->high / 60, 39, 0.5);
  site.ups->rated = Watts(1350);
  EXPECT_EQ(verdicts_of(power_of(500, 1000, site)).back().name, "ups");
}

}  // namespace
}  // namespace oblea
