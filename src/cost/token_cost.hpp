// Token cost: what a million tokens cost, and when a purchase pays back against an API.
#pragma once

#include <optional>

#include "units/money.hpp"
#include "units/quantity.hpp"

namespace oblea {

// Cost per million tokens = cost an hour / tokens an hour x 1e6. `rate` is of all requests together and above 0.
// Example: 0.4839 EUR an hour (1,685 W at 0.2872 EUR/kWh) at 100 tok/s, which is 360,000 tokens an hour: 1.34 EUR.
Money cost_per_million_tokens(Money per_hour, TokensPerSecond rate);

// Electricity of an hour at the wall. Example: 1,685 W at 0.2872 EUR/kWh: 0.4839 EUR.
Money energy_cost_per_hour(Watts wall, Money per_kilowatt_hour);

// Months until the purchase is saved by not buying tokens elsewhere, or nothing where running costs more than buying
// them. All three in one currency. Example: 3,000 EUR bought, 30 EUR a month to run, 130 EUR a month for the same
// tokens: 30 months.
std::optional<double> payback_months(Money purchase, Money running_per_month, Money elsewhere_per_month);

}  // namespace oblea
