#include "cost/bill.hpp"

#include <algorithm>
#include <optional>

namespace oblea {
namespace {

constexpr double kDatedNewBand = 0.10;
constexpr double kLooseBand = 0.20;

// Nothing where a rate is needed and the price list has none.
std::optional<Money> converted(Money money, Currency to, const ExchangeRates& rates) {
  if (money.currency != to && !(rates.euros_per_usd > 0)) return std::nullopt;
  return convert(money, to, rates);
}

Diagnostic missing_rate(const BillLine& line) {
  return {Severity::error,
          {},
          "the price of \"" + line.item + "\" is in another currency and the price list has no rate",
          "add the rate to the price list, or price the item in the bill's currency"};
}

}  // namespace

double price_band(Condition condition, const Source& source) {
  const bool is_firm =
      condition == Condition::is_new && source.confidence != Confidence::estimate && !source.date.empty();
  return is_firm ? kDatedNewBand : kLooseBand;
}

Result<Money> line_total(const BillLine& line, Currency currency, const ExchangeRates& rates) {
  const std::optional<Money> unit = converted(line.unit_price, currency, rates);
  if (!unit) return fail(Diagnostics{missing_rate(line)});
  return Money{unit->amount * line.count, currency};
}

Result<Banded<Money>> bill_total(const Bill& bill) {
  const Money zero{0, bill.currency};
  Banded<Money> total{zero, zero, zero};
  Diagnostics missing;
  for (const BillLine& line : bill.lines) {
    const std::optional<Money> unit = converted(line.unit_price, bill.currency, bill.rates);
    if (!unit) {
      missing.push_back(missing_rate(line));
      continue;
    }
    const double amount = unit->amount * line.count;
    const double band = amount * price_band(line.condition, line.source);
    total.value.amount += amount;
    total.low.amount += amount - band;
    total.high.amount += amount + band;
  }
  if (!missing.empty()) return fail(std::move(missing));
  return total;
}

const Price* find_price(const PriceList& prices, std::string_view item, bool accept_used) {
  const auto first = std::lower_bound(prices.prices.begin(), prices.prices.end(), item,
                                      [](const Price& price, std::string_view wanted) { return price.item < wanted; });
  const Price* best = nullptr;
  double best_euros = 0;
  for (auto price = first; price != prices.prices.end() && price->item == item; ++price) {
    if (price->condition == Condition::used && !accept_used) continue;
    const std::optional<Money> euros = converted(price->money, Currency::eur, prices.rates);
    // Without a rate, an offer in dollars is taken only where there is no other.
    if (!euros && best != nullptr) continue;
    const double amount = euros ? euros->amount : -1;
    if (best == nullptr || (euros && (best_euros < 0 || amount < best_euros))) {
      best = &*price;
      best_euros = amount;
    }
  }
  return best;
}

}  // namespace oblea
