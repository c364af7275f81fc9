// PriceList: what things cost, apart from what they are, so that a user replaces prices without touching physics.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "hardware/sourced.hpp"
#include "units/money.hpp"

namespace oblea {

enum class Condition { is_new, used };

struct Price {
  std::string item;  // profile id
  Money money;
  Condition condition = Condition::is_new;
  Source source;
};

// What a kilowatt-hour costs in each hour of a day, local time: 0 is midnight to one.
using HourPrices = std::array<double, 24>;

// Prices that depend on the hour, in the tariff's currency.
struct TariffHours {
  HourPrices weekday{};
  HourPrices weekend{};
};

// Mean of a week's 168 hours, which is what an even load pays. Example: 0.15 all weekend and for 8 h of a weekday, 0.20
// for its other 16: (5 x (8 x 0.15 + 16 x 0.20) + 2 x 24 x 0.15) / 168 = 0.1738.
constexpr double week_mean(const TariffHours& hours) {
  double sum = 0;
  for (std::size_t hour = 0; hour < hours.weekday.size(); ++hour)
    sum += 5 * hours.weekday[hour] + 2 * hours.weekend[hour];
  return sum / 168;
}

struct Tariff {
  std::string id;  // "eu-household", "es", ...
  std::string name;
  Money per_kilowatt_hour;           // where the price depends on the hour, the mean over the 168 hours of a week
  std::optional<TariffHours> hours;  // absent: one price all week
  Source source;
};

struct PriceList {
  std::string id;
  ExchangeRates rates;
  Source rates_source;
  std::vector<Price> prices;    // sorted by item, then new before used
  std::vector<Tariff> tariffs;  // sorted by id
};

}  // namespace oblea
