#include "cost/energy.hpp"

#include <gtest/gtest.h>

namespace oblea {
namespace {

double kilowatt_hours(Joules energy) { return energy / kKilowattHour; }

TEST(Energy, FourRtx3090AllYearCost4239Euros) {
  const Joules year = yearly_energy(Watts(1685), Watts(0), {24, 0});
  EXPECT_NEAR(kilowatt_hours(year), 14760, 1);  // 1.685 x 8,760
  EXPECT_NEAR(energy_cost(year, {0.2872, Currency::eur}).amount, 4239, 1);
}

TEST(Energy, AMonthHas30Point44Days) {
  EXPECT_NEAR(kilowatt_hours(monthly_energy(Watts(1685), Watts(0), {24, 0})), 1231, 0.1);
}

TEST(Energy, BusyAndIdleHoursAddAndTheRestIsOff) {
  EXPECT_NEAR(kilowatt_hours(daily_energy(Watts(1685), Watts(110), {8, 16})), 15.24, 1e-9);
  EXPECT_NEAR(kilowatt_hours(daily_energy(Watts(1685), Watts(110), {8, 0})), 13.48, 1e-9);
}

TEST(Energy, APublishedTableOfMonthlyCosts) {
  // 700 W, 30 days, 0.15 USD/kWh: 75.60 USD at 24 h a day, 12.60 USD at 4 h.
  const Money tariff{0.15, Currency::usd};
  EXPECT_NEAR(energy_cost(daily_energy(Watts(700), Watts(0), {24, 0}) * 30, tariff).amount, 75.6, 1e-9);
  EXPECT_NEAR(energy_cost(daily_energy(Watts(700), Watts(0), {4, 0}) * 30, tariff).amount, 12.6, 1e-9);
  EXPECT_EQ(energy_cost(Joules(0), tariff).currency, Currency::usd);
}

TEST(Energy, TheBandIsPricedEndByEnd) {
  const Banded<Money> cost =
      energy_cost({kKilowattHour * 100, kKilowattHour * 80, kKilowattHour * 120}, {0.5, Currency::eur});
  EXPECT_DOUBLE_EQ(cost.value.amount, 50);
  EXPECT_DOUBLE_EQ(cost.low.amount, 40);
  EXPECT_DOUBLE_EQ(cost.high.amount, 60);
}

TEST(Energy, APurchaseIsSpreadOverItsHours) {
  EXPECT_NEAR(purchase_per_hour({3430, Currency::eur}, 3, 8).amount, 0.39, 0.005);  // 3,430 / 8,760
}

}  // namespace
}  // namespace oblea
