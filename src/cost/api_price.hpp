// API price: buying tokens elsewhere against making them, input and output priced apart.
#pragma once

#include <optional>

#include "cost/day_profile.hpp"
#include "units/money.hpp"
#include "units/quantity.hpp"

namespace oblea {

// Of a million tokens; both in one currency.
struct TokenPrice {
  Money input;
  Money output;
};

// Example: 7.2 M in at 0.50 EUR and 1.08 M out at 1.50 EUR: 3.60 + 1.62 = 5.22 EUR.
Money token_cost(const DayTokens& tokens, const TokenPrice& price);

// What a million more tokens cost on a build that is on anyway: the watts above idle. Rates are of all requests
// together. Example: idle 110 W, prefill 1,685 W at 1,000 tok/s, decode 1,400 W at 50 tok/s, 0.2872 EUR/kWh: 1.575 kW x
// 0.2872 / 3.6 M = 0.1257 EUR in, 1.29 kW x 0.2872 / 0.18 M = 2.0583 EUR out.
TokenPrice marginal_token_price(const PhaseWatts& watts, TokensPerSecond prefill, TokensPerSecond decode,
                                Money per_kilowatt_hour);

// A build that somebody owns: the purchase is worth nothing after its years.
struct Ownership {
  Money purchase;
  double years = 3;
  Money running_per_day;  // electricity
};

// Purchase and running of a day. Example: 3,430 EUR over 3 years and 4.377 EUR a day: 3.1324 + 4.377 = 7.5094 EUR.
Money owning_per_day(const Ownership& ownership);

// Purchase and running over the output tokens alone, as most compare. Example: 7.5094 EUR for 1.08 M: 6.953 EUR.
Money full_cost_per_million(const Ownership& ownership, Tokens a_day);

// Months until the purchase is saved, or nothing where the API is cheaper than running alone.
// Example: 3,430 EUR, 4.377 EUR a day, the API asks 5.22 EUR for the same tokens: 3,430 / 0.843 / 30.44 = 133.7 months.
std::optional<double> payback_months(const Ownership& ownership, const DayTokens& tokens, const TokenPrice& api);

// Tokens a day from which owning is the cheaper way, at a fixed share of input to output; running_per_day is what the
// idle build costs, `own` what tokens add. Nothing where each token costs more here than there.
// Example: 3,430 EUR over 3 years and 0.7582 EUR idle: 3.8906 EUR a day. The API asks 1 EUR in and 5 EUR out, own
// tokens cost 0.1257 and 2.0583 EUR, 20/3 tokens in for one out: 3.8906 / (2.9417 + 20/3 x 0.8743) = 0.4436 M
// out, 2.957 M in.
std::optional<DayTokens> break_even_tokens(const Ownership& ownership, const TokenPrice& own, const TokenPrice& api,
                                           double input_per_output);

// Hours that so many tokens take; above 24 the build cannot make them in a day. Example: 2.957 M at 1,000 tok/s and
// 0.4436 M at 50 tok/s: 0.821 + 2.464 = 3.286 h.
double hours_needed(const DayTokens& tokens, TokensPerSecond prefill, TokensPerSecond decode);

}  // namespace oblea
