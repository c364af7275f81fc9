#include "units/quantity.hpp"

#include <type_traits>

#include <gtest/gtest.h>

#include "units/money.hpp"

namespace oblea {
namespace {

TEST(Quantity, ProductsAndRatiosCarryTheirDimension) {
  static_assert(std::is_same_v<decltype(Bytes(1) / Seconds(1)), BytesPerSecond>);
  static_assert(std::is_same_v<decltype(Watts(1) * Seconds(1)), Joules>);
  static_assert(std::is_same_v<decltype(Watts(1) / Kelvins(1)), WattsPerKelvin>);
  static_assert(std::is_same_v<decltype(1.0 / Seconds(1)), Hertz>);
  static_assert(std::is_same_v<decltype(Tokens(1) / Seconds(1)), TokensPerSecond>);
  static_assert(std::is_same_v<decltype(Bytes(1) / Bytes(1)), double>);
  static_assert(std::is_same_v<decltype(Hertz(1) * Seconds(1)), double>);
}

TEST(Quantity, FortyTwoGigabytesOver936GigabytesASecondTake44Point9Milliseconds) {
  EXPECT_DOUBLE_EQ((42.0 * kGB / BytesPerSecond(936e9)).value(), 42.0 / 936);  // 0.04487 s
}

TEST(Quantity, AKilowattForAnHourIsAKilowattHour) { EXPECT_EQ(Watts(1000) * kHour, kKilowattHour); }

TEST(Quantity, ByteCountsStayExactUpTo2To53) {
  const double largest = 9007199254740992.0;
  EXPECT_EQ((Bytes(largest - 1) + Bytes(1)).value(), largest);
}

TEST(Quantity, TemperaturesDifferByKelvins) {
  EXPECT_EQ(Celsius(65) - Celsius(25), Kelvins(40));
  EXPECT_EQ(Celsius(25) + Watts(350) * KelvinsPerWatt(0.1), Celsius(60));  // 35 K of rise
}

TEST(Money, ConvertsByTheRateOfThePriceList) {
  const ExchangeRates rates{0.5};  // one dollar buys half a euro
  EXPECT_EQ(convert({100, Currency::usd}, Currency::eur, rates), (Money{50, Currency::eur}));
  EXPECT_EQ(convert({100, Currency::eur}, Currency::usd, rates), (Money{200, Currency::usd}));
  EXPECT_EQ(convert({100, Currency::eur}, Currency::eur, {}), (Money{100, Currency::eur}));
}

}  // namespace
}  // namespace oblea
