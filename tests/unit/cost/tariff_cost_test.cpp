#include "cost/tariff_cost.hpp"

#include <gtest/gtest.h>

namespace oblea {
namespace {

// 0.15 EUR before 8 h and all weekend, else 0.20.
Tariff day_and_night() {
  TariffHours hours;
  hours.weekend.fill(0.15);
  for (std::size_t hour = 0; hour < 24; ++hour) hours.weekday[hour] = hour < 8 ? 0.15 : 0.20;
  return {"two", "Day and night", {week_mean(hours), Currency::eur}, hours, {}};
}

DayWatts busy_at_night() { return day_watts(busy_between(22, 6, {0, 1, 0}, {}), {Watts(0), Watts(1685), Watts(0)}); }

TEST(TariffCost, EveryHourPaysItsOwnPrice) {
  EXPECT_NEAR(day_cost(busy_at_night(), day_and_night(), DayKind::weekday).amount, 2.1905, 1e-9);
  EXPECT_NEAR(day_cost(busy_at_night(), day_and_night(), DayKind::weekend).amount, 2.022, 1e-9);
}

TEST(TariffCost, FiveWeekdaysAndAWeekendMakeAWeek) {
  EXPECT_NEAR(mean_day_cost(busy_at_night(), day_and_night()).amount, 2.1424, 5e-5);
  EXPECT_NEAR(month_cost(busy_at_night(), day_and_night()).amount, 65.21, 0.005);
  EXPECT_NEAR(year_cost(busy_at_night(), day_and_night()).amount, 781.96, 0.005);
  EXPECT_NEAR(mean_price(busy_at_night(), day_and_night()).amount, 0.1589, 5e-5);
}

TEST(TariffCost, AnEvenLoadPaysTheMeanOfTheWeek) {
  DayWatts even;
  even.fill(Watts(500));
  EXPECT_NEAR(day_and_night().per_kilowatt_hour.amount, 0.1738, 5e-5);
  EXPECT_NEAR(mean_price(even, day_and_night()).amount, day_and_night().per_kilowatt_hour.amount, 1e-12);
}

TEST(TariffCost, AFlatTariffKnowsNoHours) {
  const Tariff flat{"flat", "Flat", {0.25, Currency::usd}, {}, {}};
  EXPECT_NEAR(day_cost(busy_at_night(), flat, DayKind::weekend).amount, 13.48 * 0.25, 1e-9);
  EXPECT_NEAR(mean_price(busy_at_night(), flat).amount, 0.25, 1e-12);
  EXPECT_EQ(year_cost(busy_at_night(), flat).currency, Currency::usd);
}

}  // namespace
}  // namespace oblea
