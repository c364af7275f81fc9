#include "power/psu.hpp"

#include <gtest/gtest.h>

#include "parts.hpp"

namespace oblea {
namespace {

using parts::gold;

TEST(Supply, EfficiencyIsLinearBetweenTheStatedLoadsAndClampedOutside) {
  const Psu psu = gold(850, {});
  EXPECT_DOUBLE_EQ(supply_efficiency(psu, Watts(425), 230), 0.92);
  EXPECT_DOUBLE_EQ(supply_efficiency(psu, Watts(425), 120), 0.90);
  EXPECT_DOUBLE_EQ(supply_efficiency(psu, Watts(10), 230), 0.90);
  EXPECT_DOUBLE_EQ(supply_efficiency(psu, Watts(2000), 230), 0.89);
  // 600 / 850 = 0.7059: 0.92 - 0.03 x (0.7059 - 0.5) / 0.5 = 0.90765
  EXPECT_NEAR(supply_efficiency(psu, Watts(600), 230), 0.90765, 1e-5);
  EXPECT_NEAR(supply_wall_watts(psu, Watts(600), 230).value(), 661.05, 0.01);
}

TEST(Supply, AMissingCurveIsReplacedByTheOtherOne) {
  Psu psu = gold(850, {});
  psu.efficiency_115v.value.clear();
  EXPECT_DOUBLE_EQ(supply_efficiency(psu, Watts(425), 120), 0.92);
}

}  // namespace
}  // namespace oblea
