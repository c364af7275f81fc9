#include "cost/token_cost.hpp"

#include "base/check.hpp"
#include "cost/energy.hpp"

namespace oblea {

Money cost_per_million_tokens(Money per_hour, TokensPerSecond rate) {
  OBLEA_CHECK(rate.value() > 0, "cost per token needs a rate above zero");
  const double tokens_per_hour = (rate * kHour).value();
  return {per_hour.amount / tokens_per_hour * 1e6, per_hour.currency};
}

Money energy_cost_per_hour(Watts wall, Money per_kilowatt_hour) { return energy_cost(wall * kHour, per_kilowatt_hour); }

std::optional<double> payback_months(Money purchase, Money running_per_month, Money elsewhere_per_month) {
  OBLEA_CHECK(purchase.currency == running_per_month.currency && purchase.currency == elsewhere_per_month.currency,
              "amounts of two currencies do not subtract");
  const double saved = elsewhere_per_month.amount - running_per_month.amount;
  if (!(saved > 0)) return std::nullopt;
  return purchase.amount / saved;
}

}  // namespace oblea
