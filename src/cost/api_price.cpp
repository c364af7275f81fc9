#include "cost/api_price.hpp"

#include "base/check.hpp"
#include "cost/energy.hpp"
#include "cost/token_cost.hpp"

namespace oblea {
namespace {

void check_currency(const Money& a, const Money& b) {
  OBLEA_CHECK(a.currency == b.currency, "amounts of two currencies do not add");
}

}  // namespace

Money token_cost(const DayTokens& tokens, const TokenPrice& price) {
  check_currency(price.input, price.output);
  return {(tokens.input.value() * price.input.amount + tokens.output.value() * price.output.amount) / 1e6,
          price.input.currency};
}

TokenPrice marginal_token_price(const PhaseWatts& watts, TokensPerSecond prefill, TokensPerSecond decode,
                                Money per_kilowatt_hour) {
  const auto price = [&](Watts busy, TokensPerSecond rate) {
    return cost_per_million_tokens(energy_cost_per_hour(busy - watts.idle, per_kilowatt_hour), rate);
  };
  return {price(watts.prefill, prefill), price(watts.decode, decode)};
}

Money owning_per_day(const Ownership& ownership) {
  OBLEA_CHECK(ownership.years > 0, "a purchase is spread over some years");
  check_currency(ownership.purchase, ownership.running_per_day);
  return {ownership.purchase.amount / (ownership.years * kDaysPerYear) + ownership.running_per_day.amount,
          ownership.purchase.currency};
}

Money full_cost_per_million(const Ownership& ownership, Tokens a_day) {
  OBLEA_CHECK(a_day.value() > 0, "cost per token needs tokens");
  const Money day = owning_per_day(ownership);
  return {day.amount / a_day.value() * 1e6, day.currency};
}

std::optional<double> payback_months(const Ownership& ownership, const DayTokens& tokens, const TokenPrice& api) {
  const Money elsewhere = token_cost(tokens, api);
  const Money running = ownership.running_per_day;
  return payback_months(ownership.purchase, {running.amount * kDaysPerMonth, running.currency},
                        {elsewhere.amount * kDaysPerMonth, elsewhere.currency});
}

std::optional<DayTokens> break_even_tokens(const Ownership& ownership, const TokenPrice& own, const TokenPrice& api,
                                           double input_per_output) {
  OBLEA_CHECK(input_per_output >= 0, "a share of tokens is 0 or more");
  const Money fixed = owning_per_day(ownership);
  check_currency(own.input, own.output);
  check_currency(api.input, api.output);
  check_currency(own.input, api.input);
  check_currency(fixed, api.input);
  const double saved_per_million =
      api.output.amount - own.output.amount + input_per_output * (api.input.amount - own.input.amount);
  if (!(saved_per_million > 0)) return std::nullopt;
  const Tokens output(fixed.amount / saved_per_million * 1e6);
  return DayTokens{output * input_per_output, output};
}

double hours_needed(const DayTokens& tokens, TokensPerSecond prefill, TokensPerSecond decode) {
  OBLEA_CHECK(prefill.value() > 0 && decode.value() > 0, "tokens take hours at a rate above zero");
  return (tokens.input / prefill + tokens.output / decode) / kHour;
}

}  // namespace oblea
