#include "cost/tariff_cost.hpp"

#include "base/check.hpp"
#include "cost/energy.hpp"

namespace oblea {

Money day_cost(const DayWatts& watts, const Tariff& tariff, DayKind day) {
  if (!tariff.hours) return energy_cost(day_energy(watts), tariff.per_kilowatt_hour);
  const HourPrices& prices = day == DayKind::weekday ? tariff.hours->weekday : tariff.hours->weekend;
  Money cost{0, tariff.per_kilowatt_hour.currency};
  for (std::size_t hour = 0; hour < watts.size(); ++hour) {
    cost.amount += energy_cost(watts[hour] * kHour, {prices[hour], cost.currency}).amount;
  }
  return cost;
}

Money mean_day_cost(const DayWatts& watts, const Tariff& tariff) {
  const Money weekday = day_cost(watts, tariff, DayKind::weekday);
  const Money weekend = day_cost(watts, tariff, DayKind::weekend);
  return {(5 * weekday.amount + 2 * weekend.amount) / 7, weekday.currency};
}

Money month_cost(const DayWatts& watts, const Tariff& tariff) {
  const Money day = mean_day_cost(watts, tariff);
  return {day.amount * kDaysPerMonth, day.currency};
}

Money year_cost(const DayWatts& watts, const Tariff& tariff) {
  const Money day = mean_day_cost(watts, tariff);
  return {day.amount * kDaysPerYear, day.currency};
}

Money mean_price(const DayWatts& watts, const Tariff& tariff) {
  const Joules energy = day_energy(watts);
  OBLEA_CHECK(energy.value() > 0, "a build that is off pays no price");
  const Money day = mean_day_cost(watts, tariff);
  return {day.amount / (energy / kKilowattHour), day.currency};
}

}  // namespace oblea
