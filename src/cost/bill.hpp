// Bill: what a build costs to buy, line by line, in one currency, and how far the total may be off.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"
#include "hardware/price_list.hpp"
#include "units/banded.hpp"
#include "units/money.hpp"

namespace oblea {

struct BillLine {
  std::string item;  // profile id
  std::string name;
  int count = 1;
  Money unit_price;
  Condition condition = Condition::is_new;
  Source source;
};

struct Bill {
  std::vector<BillLine> lines;
  Currency currency = Currency::eur;  // of the total
  ExchangeRates rates;
};

// How far a price may be off, as a share of it; a labelled estimate, not a fit (README.md has the observations).
// New, sourced and dated: 10 %. Used, estimated, or without a date: 20 %.
double price_band(Condition condition, const Source& source);

// Unit price x count in the bill's currency. A line in another currency needs the price list's rate, which is above 0.
Result<Money> line_total(const BillLine& line, Currency currency, const ExchangeRates& rates);

// Sum of the lines; the ends of the band add, as the whole market moves together.
// Example: 4 used cards at 650 USD, rate 0.9 EUR/USD, and a new board of 300 EUR: 2,340 + 300 = 2,640 EUR
// (2,640 - 468 - 30 = 2,142 to 3,138 EUR).
// Error: every line whose currency has no rate.
Result<Banded<Money>> bill_total(const Bill& bill);

// The cheapest offer for an item in a price list, used ones only if wanted; nullptr if there is none.
// Offers in two currencies compare by the list's rate; without one, the first offer in euros is preferred to any in
// dollars.
const Price* find_price(const PriceList& prices, std::string_view item, bool accept_used);

}  // namespace oblea
