#include "cost/facility.hpp"

#include <gtest/gtest.h>

namespace oblea {
namespace {

DayWatts all_day(double watts) {
  DayWatts day;
  day.fill(Watts(watts));
  return day;
}

TEST(Facility, EveryPartIsNamedAndTheyAdd) {
  const FacilityWatts watts = facility_watts(Watts(1685), {Watts(70), 3, 0.04});
  EXPECT_NEAR(watts.distribution.value(), 67.4, 1e-9);
  EXPECT_NEAR(watts.chiller.value(), 607.4667, 5e-5);  // (1,685 + 67.4 + 70) / 3
  EXPECT_NEAR(watts.total.value(), 2429.8667, 5e-5);
  EXPECT_EQ(watts.total, watts.build + watts.distribution + watts.pumps_and_fans + watts.chiller);
}

TEST(Facility, PumpsWeighMoreOnAnIdleBuild) {
  const Facility pumps{Watts(70), 0, 0};
  EXPECT_NEAR(pue(all_day(1685), pumps), 1.042, 5e-4);
  EXPECT_NEAR(pue(all_day(110), pumps), 1.636, 5e-4);
  EXPECT_EQ(pue(all_day(110), {}), 1);
}

TEST(Facility, ThePueOfADayIsOfItsEnergy) {
  const DayWatts day = day_watts(busy_between(22, 6, {0, 1, 0}, {1, 0, 0}), {Watts(110), Watts(1685), Watts(1400)});
  EXPECT_NEAR(pue(day, {Watts(70), 0, 0}), (15.24 + 24 * 0.07) / 15.24, 1e-12);  // 1.110, not the mean of 1.04 and 1.64
}

TEST(Facility, CoolingOf40PercentOfTheBillMeansAPueOf1Point67) { EXPECT_NEAR(pue_of_cooling_share(0.4), 1.667, 5e-4); }

}  // namespace
}  // namespace oblea
