#include "cost/api_price.hpp"

#include <gtest/gtest.h>

namespace oblea {
namespace {

Money euros(double amount) { return {amount, Currency::eur}; }

const DayTokens kTokens{Tokens(7.2e6), Tokens(1.08e6)};
const Ownership kRig{euros(3430), 3, euros(4.377)};
const PhaseWatts kWatts{Watts(110), Watts(1685), Watts(1400)};
const TokensPerSecond kPrefill(1000);
const TokensPerSecond kDecode(50);

TEST(ApiPrice, InputAndOutputArePricedApart) {
  EXPECT_NEAR(token_cost(kTokens, {euros(0.5), euros(1.5)}).amount, 5.22, 1e-9);
}

TEST(ApiPrice, MoreTokensCostTheWattsAboveIdle) {
  const TokenPrice price = marginal_token_price(kWatts, kPrefill, kDecode, euros(0.2872));
  EXPECT_NEAR(price.input.amount, 0.1257, 5e-5);
  EXPECT_NEAR(price.output.amount, 2.0583, 5e-5);
}

TEST(ApiPrice, ThePurchaseIsSpreadOverItsYears) {
  EXPECT_NEAR(owning_per_day(kRig).amount, 7.5094, 5e-5);
  EXPECT_NEAR(full_cost_per_million(kRig, kTokens.output).amount, 6.953, 5e-4);
}

TEST(ApiPrice, ARigPaysBackOnlyWhereTheApiCostsMoreThanRunningIt) {
  EXPECT_NEAR(payback_months(kRig, kTokens, {euros(0.5), euros(1.5)}).value(), 133.7, 0.05);
  EXPECT_EQ(payback_months(kRig, kTokens, {euros(0.1), euros(0.4)}), std::nullopt);  // 1.15 EUR a day
}

TEST(ApiPrice, AtTheBreakEvenBothWaysCostTheSame) {
  const Ownership rig{euros(3430), 3, euros(0.7582)};
  const TokenPrice own = marginal_token_price(kWatts, kPrefill, kDecode, euros(0.2872));
  const TokenPrice api{euros(1), euros(5)};
  const DayTokens tokens = break_even_tokens(rig, own, api, 20.0 / 3).value();
  EXPECT_NEAR(tokens.output.value(), 0.4436e6, 50);
  EXPECT_NEAR(tokens.input.value(), 2.957e6, 500);
  EXPECT_NEAR(owning_per_day(rig).amount + token_cost(tokens, own).amount, token_cost(tokens, api).amount, 1e-9);
  EXPECT_NEAR(hours_needed(tokens, kPrefill, kDecode), 3.286, 5e-4);
}

TEST(ApiPrice, NoAmountOfTokensPaysWhereEachCostsMoreHere) {
  const TokenPrice own{euros(0.13), euros(2.06)};
  EXPECT_EQ(break_even_tokens(kRig, own, {euros(0.13), euros(2.06)}, 1), std::nullopt);
  EXPECT_EQ(break_even_tokens(kRig, own, {euros(0.1), euros(1.5)}, 1), std::nullopt);
}

}  // namespace
}  // namespace oblea
