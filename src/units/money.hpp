// Money: an amount in one currency. Amounts of two currencies do not add; a price list holds the exchange rate.
#pragma once

#include <compare>
#include <cstdint>
#include <string_view>

namespace oblea {

enum class Currency : std::uint8_t { eur, usd };

inline constexpr int kCurrencyCount = 2;

constexpr std::string_view currency_code(Currency currency) { return currency == Currency::eur ? "EUR" : "USD"; }

// A price list's rates: how many euros one unit of a currency buys.
struct ExchangeRates {
  double euros_per_usd = 0;  // 0 means: the price list gives none
};

struct Money {
  double amount = 0;
  Currency currency = Currency::eur;
  friend constexpr bool operator==(const Money&, const Money&) = default;
};

// The amount in another currency; the same currency needs no rate. A rate of 0 gives 0 only for an amount of 0.
constexpr Money convert(Money money, Currency to, const ExchangeRates& rates) {
  if (money.currency == to) return money;
  const double factor = to == Currency::eur ? rates.euros_per_usd : 1.0 / rates.euros_per_usd;
  return {money.amount * factor, to};
}

}  // namespace oblea
