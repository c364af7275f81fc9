#include "power/breaker.hpp"

#include <cmath>

#include <gtest/gtest.h>

namespace oblea {
namespace {

TEST(Breaker, KeepsThePointsOfTheStandard) {
  for (const BreakerCurve curve : {BreakerCurve::b, BreakerCurve::c}) {
    EXPECT_TRUE(std::isinf(time_to_trip(curve, 1.13).low.value()));
    EXPECT_TRUE(std::isinf(time_to_trip(curve, 1.44).high.value()));
    EXPECT_NEAR(time_to_trip(curve, 1.45).high.value(), 3600, 1e-6);
    EXPECT_NEAR(time_to_trip(curve, 2.55).low.value(), 1, 1e-9);
    EXPECT_NEAR(time_to_trip(curve, 2.55).high.value(), 60, 1e-9);
    EXPECT_NEAR(time_to_trip(curve, 2.55).value.value(), std::sqrt(60.0), 1e-9);
  }
  EXPECT_LE(time_to_trip(BreakerCurve::b, 5).high.value(), 0.1);
  EXPECT_GT(time_to_trip(BreakerCurve::c, 5).high.value(), 0.1);
  EXPECT_LE(time_to_trip(BreakerCurve::c, 10).high.value(), 0.1);
  EXPECT_GE(time_to_trip(BreakerCurve::b, 3).low.value(), 0.1);
  EXPECT_TRUE(std::isinf(time_to_trip(BreakerCurve::us, 1).low.value()));
  EXPECT_NEAR(time_to_trip(BreakerCurve::us, 1.35).high.value(), 3600, 1e-6);
  EXPECT_NEAR(time_to_trip(BreakerCurve::us, 2).high.value(), 120, 1e-9);
}

TEST(Breaker, MoreCurrentNeverTakesLonger) {
  for (const BreakerCurve curve : {BreakerCurve::b, BreakerCurve::c, BreakerCurve::us}) {
    Banded<Seconds> before{Seconds(HUGE_VAL), Seconds(HUGE_VAL), Seconds(HUGE_VAL)};
    for (double multiple = 0; multiple < 30; multiple += 0.01) {
      const Banded<Seconds> now = time_to_trip(curve, multiple);
      EXPECT_LE(now.low, now.value) << multiple;
      EXPECT_LE(now.value, now.high) << multiple;
      EXPECT_LE(now.low, before.low) << multiple;
      EXPECT_LE(now.value, before.value) << multiple;
      EXPECT_LE(now.high, before.high) << multiple;
      before = now;
    }
  }
}

TEST(Breaker, OtherLoadsOnTheCircuitCount) {
  const Circuit& circuit = *find_circuit("us-15a");
  EXPECT_EQ(usual_curve(circuit), BreakerCurve::us);
  EXPECT_EQ(usual_curve(*find_circuit("eu-16a")), BreakerCurve::b);
  EXPECT_TRUE(std::isinf(circuit_time_to_trip(circuit, BreakerCurve::us, Watts(1163)).low.value()));
  const Banded<Seconds> heater = circuit_time_to_trip(circuit, BreakerCurve::us, Watts(1163), Watts(2000));
  EXPECT_LT(heater.high.value(), 3600);
  EXPECT_NEAR(heater.high.value(), 369, 5);  // 3,600 x (1 / 30) to the ln(1.757 / 1.35) / ln(2 / 1.35) = 0.670
}

}  // namespace
}  // namespace oblea
