// TariffRow: one tariff of a price list, flat or with periods of the day.
#pragma once

#include "base/diagnostic.hpp"
#include "hardware/price_list.hpp"
#include "io/json_document.hpp"

namespace oblea {

// "price" is of every hour that no period names. A period: {"days": "weekdays", "hours": ["22-6"], "price": "0.12
// EUR/kWh"}; "days" may be "weekends" or, where it is absent, every day; hours past midnight stay with the same day.
// Example: 0.20 EUR/kWh, and 0.15 in the period "0-8" of every day: per_kilowatt_hour is their mean, 0.1833.
// Faults: an hour in two periods, another currency than "price", a period without hours, hours that are not whole.
Tariff parse_tariff(const JsonDocument& document, const JsonValue& value, Diagnostics& diagnostics);

}  // namespace oblea
