#include "cost/day_profile.hpp"

#include <gtest/gtest.h>

namespace oblea {
namespace {

const PhaseWatts kWatts{Watts(110), Watts(1685), Watts(1400)};

TEST(DayProfile, SpreadEvenlyEveryHourIsTheSame) {
  const DayPhases day = spread_evenly(16, 2, 6);
  for (const PhaseShares& hour : day) {
    EXPECT_NEAR(hour.idle, 2.0 / 3, 1e-12);
    EXPECT_NEAR(hour.prefill, 1.0 / 12, 1e-12);
    EXPECT_NEAR(hour.decode, 0.25, 1e-12);
  }
}

TEST(DayProfile, ANightReachesPastMidnight) {
  const DayPhases day = busy_between(22, 6, {0, 1, 0}, {1, 0, 0});
  for (int hour = 0; hour < kHoursPerDay; ++hour) {
    EXPECT_EQ(day[static_cast<std::size_t>(hour)].prefill, hour >= 22 || hour < 6 ? 1 : 0) << hour;
  }
  const DayWatts watts = day_watts(day, kWatts);
  EXPECT_NEAR(day_energy(watts) / kKilowattHour, 15.24, 1e-9);  // 8 h x 1,685 W + 16 h x 110 W
}

TEST(DayProfile, AnHourIsTheMeanOfItsPhases) {
  const DayPhases day = busy_between(0, 24, {0.25, 0.25, 0.5}, {});
  EXPECT_NEAR(day_watts(day, kWatts)[0].value(), 1148.75, 1e-9);
}

TEST(DayProfile, WhatIsLeftOfAnHourIsOff) {
  EXPECT_EQ(day_watts(busy_between(0, 0, {}, {}), kWatts)[5], Watts(0));
  EXPECT_NEAR(day_energy(day_watts(spread_evenly(0, 0, 1), kWatts)) / kKilowattHour, 1.4, 1e-9);
}

TEST(DayProfile, TokensOfADay) {
  const DayTokens tokens = day_tokens(spread_evenly(16, 2, 6), TokensPerSecond(1000), TokensPerSecond(50));
  EXPECT_NEAR(tokens.input.value(), 7.2e6, 1e-3);
  EXPECT_NEAR(tokens.output.value(), 1.08e6, 1e-3);
}

TEST(DayProfileDeathTest, AnHourHoldsOneHour) { EXPECT_DEATH(spread_evenly(20, 3, 2), "an hour holds one hour"); }

}  // namespace
}  // namespace oblea
