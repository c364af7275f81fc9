// Tariff cost: what a day's watts cost where the price of a kilowatt-hour depends on the hour.
#pragma once

#include "cost/day_profile.hpp"
#include "hardware/price_list.hpp"
#include "units/money.hpp"

namespace oblea {

enum class DayKind { weekday, weekend };

// Example: 1,685 W from 22 to 6 h, off else, at 0.15 EUR/kWh before 8 h and 0.20 after: 2 h x 1.685 x 0.20 + 6 h x
// 1.685 x 0.15 = 0.674 + 1.5165 = 2.1905 EUR.
Money day_cost(const DayWatts& watts, const Tariff& tariff, DayKind day);

// A mean day: 5 weekdays and 2 days of weekend in 7. Example: 2.1905 EUR on weekdays and 2.022 EUR (0.15 all day) at
// weekends: (5 x 2.1905 + 2 x 2.022) / 7 = 2.1424 EUR.
Money mean_day_cost(const DayWatts& watts, const Tariff& tariff);

// The mean day x 30.44 and x 365. Example: 2.1424 EUR: 65.21 EUR a month, 781.96 EUR a year.
Money month_cost(const DayWatts& watts, const Tariff& tariff);
Money year_cost(const DayWatts& watts, const Tariff& tariff);

// What this load pays for a kilowatt-hour. Example: 2.1424 EUR for 13.48 kWh: 0.1589 EUR/kWh.
Money mean_price(const DayWatts& watts, const Tariff& tariff);

}  // namespace oblea
