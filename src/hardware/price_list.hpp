// PriceList: what things cost, apart from what they are, so that a user replaces prices without touching physics.
#pragma once

#include <map>
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

struct Tariff {
  std::string id;  // "eu-household", "es-household", ...
  std::string name;
  Money per_kilowatt_hour;
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
