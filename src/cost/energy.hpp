// Energy: kilowatt-hours and money of a build that is busy some hours a day.
#pragma once

#include "units/banded.hpp"
#include "units/money.hpp"
#include "units/quantity.hpp"

namespace oblea {

inline constexpr double kDaysPerMonth = 30.44;  // 365.25 / 12
inline constexpr double kDaysPerYear = 365;

// Hours a day; what is left of 24 the build is off.
struct DutyCycle {
  double busy_hours = 24;
  double idle_hours = 0;
};

// Energy of one day at the wall. Example: 1,685 W for 8 h busy and 110 W for 16 h idle: 13.48 + 1.76 = 15.24 kWh.
Joules daily_energy(Watts busy, Watts idle, const DutyCycle& duty);

// Example: 1,685 W all day: 1.685 x 24 x 30.44 = 1,231 kWh a month, 1.685 x 8,760 = 14,761 kWh a year.
Joules monthly_energy(Watts busy, Watts idle, const DutyCycle& duty);
Joules yearly_energy(Watts busy, Watts idle, const DutyCycle& duty);

// Money = kWh x tariff, in the tariff's currency. Example: 14,760 kWh at 0.2872 EUR/kWh: 4,239 EUR.
// Example: 700 W for 30 days is 504 kWh, at 0.15 USD/kWh 75.60 USD.
Money energy_cost(Joules energy, Money per_kilowatt_hour);
Banded<Money> energy_cost(const Banded<Joules>& energy, Money per_kilowatt_hour);

// Purchase spread evenly over the hours that the thing is in use. Example: 3,430 EUR over 3 years, 8 h a day: 0.39
// EUR an hour.
Money purchase_per_hour(Money purchase, double years, double hours_a_day);

}  // namespace oblea
