#include "units/print.hpp"

#include <limits>

#include <gtest/gtest.h>

namespace oblea {
namespace {

TEST(Print, ExamplesOfTheHeader) {
  EXPECT_EQ(print_gib(Bytes(42.5e9)), "39.6 GiB");  // 42.5e9 / 2^30 = 39.58
  EXPECT_EQ(print_gb(Bytes(42.5e9)), "42.5 GB");
  EXPECT_EQ(print_time(Seconds(1.02e-3)), "1.02 ms");
  EXPECT_EQ(print_bandwidth(BytesPerSecond(936e9)), "936 GB/s");
  EXPECT_EQ(print_watts(Watts(1685)), "1,685 W");
  EXPECT_EQ(print_money({3430, Currency::eur}), "3,430 EUR");
  EXPECT_EQ(print_count(13100), "13,100");
}

TEST(Print, ThreeDigitsAndTheUnitAreChosenAfterRounding) {
  EXPECT_EQ(print_time(Seconds(0.9996)), "1.00 s");
  EXPECT_EQ(print_time(Seconds(999.4e-6)), "999 us");
  EXPECT_EQ(print_bandwidth(BytesPerSecond(999.9e6)), "1.00 GB/s");
  EXPECT_EQ(print_number(9.996), "10.0");
  EXPECT_EQ(print_number(0.012345), "0.0123");
  EXPECT_EQ(print_number(12345), "12,300");
  EXPECT_EQ(print_number(12345, 5), "12,345");
  EXPECT_EQ(print_number(65), "65.0");
}

TEST(Print, LongTimesAreMinutesAndHours) {
  EXPECT_EQ(print_time(Seconds(95)), "95.0 s");
  EXPECT_EQ(print_time(Seconds(1200)), "20.0 min");
  EXPECT_EQ(print_time(Seconds(9000)), "2.50 h");
}

TEST(Print, ZeroAndNegativeNumbers) {
  EXPECT_EQ(print_time(Seconds(0)), "0 s");
  EXPECT_EQ(print_watts(Watts(0)), "0 W");
  EXPECT_EQ(print_number(-0.0), "0");
  EXPECT_EQ(print_count(-0.2), "0");
  EXPECT_EQ(print_count(-1234567), "-1,234,567");
}

TEST(Print, WattsOfAHomeAndOfAHall) {
  EXPECT_EQ(print_watts(Watts(4.25)), "4.25 W");
  EXPECT_EQ(print_watts(Watts(99.96)), "100 W");
  EXPECT_EQ(print_watts(Watts(23000)), "23,000 W");
  EXPECT_EQ(print_watts(Watts(3.22e6)), "3.22 MW");  // 70 wafers of 46 kW
}

TEST(Print, MoneyHasCentsWhereTheyMatter) {
  EXPECT_EQ(print_money({12.5, Currency::usd}), "12.50 USD");
  EXPECT_EQ(print_money({0.2872, Currency::eur}), "0.29 EUR");
  EXPECT_EQ(print_money({0.00123, Currency::eur}), "0.00123 EUR");
  EXPECT_EQ(print_money({99.996, Currency::eur}), "100 EUR");
}

TEST(Print, NumbersThatAreNone) {
  EXPECT_EQ(print_number(std::numeric_limits<double>::infinity()), "inf");
  EXPECT_EQ(print_number(std::numeric_limits<double>::quiet_NaN()), "nan");
  EXPECT_EQ(print_count(std::numeric_limits<double>::infinity()), "inf");
}

}  // namespace
}  // namespace oblea
