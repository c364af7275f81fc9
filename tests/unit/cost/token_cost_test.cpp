#include "cost/token_cost.hpp"

#include <gtest/gtest.h>

namespace oblea {
namespace {

TEST(TokenCost, AMillionTokensAtAHundredASecondCost1Euro34OfElectricity) {
  const Money hour = energy_cost_per_hour(Watts(1685), {0.2872, Currency::eur});
  EXPECT_NEAR(hour.amount, 0.4839, 5e-5);
  EXPECT_NEAR(cost_per_million_tokens(hour, TokensPerSecond(100)).amount, 1.344, 5e-4);
}

TEST(TokenCost, APurchasePaysBackWhereRunningIsCheaper) {
  const auto euros = [](double amount) { return Money{amount, Currency::eur}; };
  EXPECT_EQ(payback_months(euros(3000), euros(30), euros(130)), 30);
  EXPECT_EQ(payback_months(euros(3000), euros(130), euros(130)), std::nullopt);
}

}  // namespace
}  // namespace oblea
