#include "power/ups.hpp"

#include <gtest/gtest.h>

namespace oblea {
namespace {

constexpr Ups kSmall{1500, Watts(900), Joules(432 * 3600.0), 0.90};

TEST(UpsSupply, BothRatingsHold) {
  EXPECT_EQ(assess_ups(kSmall, Watts(1000)), UpsVerdict::overloaded);
  EXPECT_EQ(assess_ups({1500, Watts(1350), {}, 0.9}, Watts(1000)), UpsVerdict::carries);
  EXPECT_EQ(assess_ups(kSmall, Watts(800)), UpsVerdict::tight);
  EXPECT_EQ(assess_ups({1000, Watts(1000), {}, 0.9}, Watts(700), 0.65), UpsVerdict::overloaded);  // 1,077 VA
}

TEST(UpsSupply, AFastDischargeYieldsLess) {
  const Banded<Seconds> time = run_time(kSmall, Watts(500));
  // 432 x 0.9 / 500 = 0.7776 h; x (0.7776 / 20)^(0.15 / 0.85) = 0.5638: 0.4384 h
  EXPECT_NEAR(time.value.value(), 0.4384 * 3600, 3);
  EXPECT_LT(time.low, time.value);
  EXPECT_LT(time.value, time.high);
  EXPECT_GT(run_time(kSmall, Watts(250)).value, time.value * 2);
  // At the rate of the label nothing is lost: 432 x 0.9 / 19.44 = 20 h.
  EXPECT_NEAR(run_time(kSmall, Watts(19.44)).value.value(), 20 * 3600, 1);
}

}  // namespace
}  // namespace oblea
