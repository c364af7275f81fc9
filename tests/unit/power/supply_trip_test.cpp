#include "power/supply_trip.hpp"

#include <gtest/gtest.h>

#include "parts.hpp"

namespace oblea {
namespace {

const Device kCard = parts::clocked_3090();

SuppliedCards four(SupplyGeneration generation, double rated, double cap) {
  return {generation, Watts(rated), Watts(150), std::vector<const Device*>(4, &kCard), {Watts(cap), {}}};
}

TEST(SupplyTrip, CurvesFallWithTimeAndKeepTheirOrder) {
  for (const auto generation : {SupplyGeneration::atx2, SupplyGeneration::atx3, SupplyGeneration::server}) {
    Banded<double> before{9, 9, 9};
    for (double seconds = 1e-5; seconds < 100; seconds *= 1.3) {
      const Banded<double> share = trip_share(generation, Seconds(seconds));
      EXPECT_LE(share.low, share.value);
      EXPECT_LE(share.value, share.high);
      EXPECT_LE(share.value, before.value);
      EXPECT_GE(share.low, 1);
      before = share;
    }
  }
  EXPECT_DOUBLE_EQ(trip_share(SupplyGeneration::atx3, Seconds(1e-4)).low, 2.0);
  EXPECT_DOUBLE_EQ(trip_share(SupplyGeneration::atx2, Seconds(1e-3)).value, 1.25);
}

TEST(SupplyTrip, CapsBelowTheRatingDoNotSaveAnOldSupply) {
  const TripAssessment old = assess_trip(four(SupplyGeneration::atx2, 1500, 280));
  EXPECT_EQ(old.verdict, TripVerdict::trips);
  EXPECT_EQ(old.limit, TripLimit::below_1ms);
  EXPECT_NEAR(old.load, 1270.0 / 1500, 1e-12);
  EXPECT_NEAR(old.peak_load, 2070.0 / 1500, 1e-12);
  EXPECT_NEAR(old.probability.value, 0.57, 0.01);
  EXPECT_LT(old.probability.low, old.probability.value);
  EXPECT_EQ(assess_trip(four(SupplyGeneration::atx3, 1500, 280)).verdict, TripVerdict::tight);
}

TEST(SupplyTrip, TheCureIsALockWhereNoCapHelps) {
  const SuppliedCards rig = four(SupplyGeneration::atx2, 1500, 230);
  const TripCure cure = find_cure(rig);
  EXPECT_FALSE(cure.cap);
  ASSERT_TRUE(cure.clock_lock);
  EXPECT_NEAR(cure.clock_lock->value(), 1740e6, 1);
  SuppliedCards cured = rig;
  cured.control.clock_lock = cure.clock_lock;
  EXPECT_EQ(assess_trip(cured).verdict, TripVerdict::fine);
  cured.control.clock_lock = *cure.clock_lock + Hertz(15e6);
  EXPECT_NE(assess_trip(cured).verdict, TripVerdict::fine);
}

TEST(SupplyTrip, ACapCuresAnOverload) {
  const SuppliedCards rig = four(SupplyGeneration::atx3, 1500, 350);  // 1,550 W
  const TripCure cure = find_cure(rig);
  ASSERT_TRUE(cure.cap);
  EXPECT_EQ(*cure.cap, Watts(260));  // 4 x 260 + 150 = 1,190 W = 79 %
}

TEST(SupplyTrip, MoreCardsNeverTripLess) {
  double before = 0;
  for (int cards = 0; cards <= 8; ++cards) {
    SuppliedCards rig = four(SupplyGeneration::atx2, 1600, 300);
    rig.cards.assign(cards, &kCard);
    const double probability = assess_trip(rig).probability.value;
    EXPECT_GE(probability, before);
    EXPECT_LE(probability, 1);
    before = probability;
  }
  EXPECT_GT(before, 0.99);
}

TEST(SupplyTrip, AnOldServerSupplyIsToldByItsPlugs) {
  Psu psu = parts::gold(1200, {}, 1.3);
  EXPECT_EQ(generation_of(psu), SupplyGeneration::atx2);
  psu.powers_board = false;
  EXPECT_EQ(generation_of(psu), SupplyGeneration::server);
  EXPECT_EQ(generation_of(parts::gold(1000, {})), SupplyGeneration::atx3);
}

}  // namespace
}  // namespace oblea
