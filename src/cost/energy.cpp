#include "cost/energy.hpp"

#include "base/check.hpp"

namespace oblea {

Joules daily_energy(Watts busy, Watts idle, const DutyCycle& duty) {
  OBLEA_CHECK(duty.busy_hours >= 0 && duty.idle_hours >= 0 && duty.busy_hours + duty.idle_hours <= 24 + 1e-9,
              "a day has 24 hours");
  return busy * (kHour * duty.busy_hours) + idle * (kHour * duty.idle_hours);
}

Joules monthly_energy(Watts busy, Watts idle, const DutyCycle& duty) {
  return daily_energy(busy, idle, duty) * kDaysPerMonth;
}

Joules yearly_energy(Watts busy, Watts idle, const DutyCycle& duty) {
  return daily_energy(busy, idle, duty) * kDaysPerYear;
}

Money energy_cost(Joules energy, Money per_kilowatt_hour) {
  return {energy / kKilowattHour * per_kilowatt_hour.amount, per_kilowatt_hour.currency};
}

Banded<Money> energy_cost(const Banded<Joules>& energy, Money per_kilowatt_hour) {
  return {energy_cost(energy.value, per_kilowatt_hour), energy_cost(energy.low, per_kilowatt_hour),
          energy_cost(energy.high, per_kilowatt_hour)};
}

Money purchase_per_hour(Money purchase, double years, double hours_a_day) {
  OBLEA_CHECK(years > 0 && hours_a_day > 0, "a purchase is spread over some hours");
  return {purchase.amount / (years * kDaysPerYear * hours_a_day), purchase.currency};
}

}  // namespace oblea
