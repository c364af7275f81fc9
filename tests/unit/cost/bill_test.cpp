#include "cost/bill.hpp"

#include <gtest/gtest.h>

namespace oblea {
namespace {

const Source kDated{"shop", "2026-02", Confidence::review};
const Source kGuess{"recalled", "2026-02", Confidence::estimate};

TEST(Bill, TheExampleOfTheHeader) {
  const Bill bill{{{"rtx-3090", "RTX 3090", 4, {650, Currency::usd}, Condition::used, kDated},
                   {"board", "Board", 1, {300, Currency::eur}, Condition::is_new, kDated}},
                  Currency::eur,
                  {0.9}};
  const Result<Banded<Money>> total = bill_total(bill);
  ASSERT_TRUE(total.has_value());
  EXPECT_NEAR(total->value.amount, 2640, 1e-9);
  EXPECT_NEAR(total->low.amount, 2142, 1e-9);
  EXPECT_NEAR(total->high.amount, 3138, 1e-9);
  EXPECT_EQ(total->value.currency, Currency::eur);
  EXPECT_NEAR(line_total(bill.lines[0], Currency::eur, bill.rates)->amount, 2340, 1e-9);
}

TEST(Bill, APriceWithoutADateOrAsAnEstimateIsLoose) {
  EXPECT_EQ(price_band(Condition::is_new, kDated), 0.10);
  EXPECT_EQ(price_band(Condition::is_new, kGuess), 0.20);
  EXPECT_EQ(price_band(Condition::used, kDated), 0.20);
  EXPECT_EQ(price_band(Condition::is_new, {"shop", "", Confidence::review}), 0.20);
}

TEST(Bill, EveryLineWithoutARateIsNamed) {
  const Bill bill{{{"a", "A", 1, {1, Currency::usd}, Condition::is_new, kDated},
                   {"b", "B", 1, {1, Currency::eur}, Condition::is_new, kDated},
                   {"c", "C", 1, {1, Currency::usd}, Condition::is_new, kDated}},
                  Currency::eur,
                  {}};
  const Result<Banded<Money>> total = bill_total(bill);
  ASSERT_FALSE(total.has_value());
  ASSERT_EQ(total.error().size(), 2u);
  EXPECT_NE(total.error()[1].message.find("\"c\""), std::string::npos);
}

TEST(Bill, AnEmptyBillIsZeroInItsCurrency) {
  EXPECT_EQ(bill_total({{}, Currency::usd, {}})->value, (Money{0, Currency::usd}));
}

TEST(Bill, TheCheapestOfferThatTheBuyerAccepts) {
  PriceList list;
  list.rates.euros_per_usd = 0.9;
  list.prices = {{"board", {300, Currency::eur}, Condition::is_new, kDated},
                 {"card", {1500, Currency::usd}, Condition::is_new, kDated},
                 {"card", {1400, Currency::eur}, Condition::is_new, kDated},
                 {"card", {600, Currency::eur}, Condition::used, kDated}};
  EXPECT_EQ(find_price(list, "card", true)->money.amount, 600);
  EXPECT_EQ(find_price(list, "card", false)->money.amount, 1500);  // 1,350 EUR
  list.rates.euros_per_usd = 0;
  EXPECT_EQ(find_price(list, "card", false)->money.amount, 1400);
  EXPECT_EQ(find_price(list, "cart", true), nullptr);
}

}  // namespace
}  // namespace oblea
