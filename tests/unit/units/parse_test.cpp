#include "units/parse.hpp"

#include <cmath>
#include <random>
#include <string>

#include <gtest/gtest.h>

namespace oblea {
namespace {

double value_of(std::string_view text, UnitKind kind) {
  const ParsedValue parsed = parse_value(text, kind);
  EXPECT_TRUE(parsed.ok()) << text << ": " << parsed.error().message;
  return parsed.value();
}

std::string hint_of(std::string_view text, UnitKind kind) {
  const ParsedValue parsed = parse_value(text, kind);
  EXPECT_FALSE(parsed.ok()) << text;
  return parsed.error().hint;
}

bool contains(const std::string& text, std::string_view part) { return text.find(part) != std::string::npos; }

TEST(ParseValue, ReadsEachKindInBaseUnits) {
  EXPECT_EQ(value_of("24 GiB", UnitKind::bytes), 24.0 * 1024 * 1024 * 1024);
  EXPECT_EQ(value_of("24 GB", UnitKind::bytes), 24e9);
  EXPECT_EQ(value_of("10 Gbps", UnitKind::bytes_per_second), 1.25e9);
  EXPECT_EQ(value_of("10 Gb/s", UnitKind::bytes_per_second), 1.25e9);
  EXPECT_EQ(value_of("21 PB/s", UnitKind::bytes_per_second), 21e15);
  EXPECT_EQ(value_of("71 TFLOPS", UnitKind::flops_per_second), 71e12);
  EXPECT_EQ(value_of("284 TOPS", UnitKind::flops_per_second), 284e12);
  EXPECT_EQ(value_of("1.5 h", UnitKind::seconds), 5400);
  EXPECT_EQ(value_of("1.7 GHz", UnitKind::hertz), 1.7e9);
  EXPECT_EQ(value_of("23 kW", UnitKind::watts), 23000);
  EXPECT_EQ(value_of("1 kWh", UnitKind::joules), 3.6e6);
  EXPECT_EQ(value_of("-5.5 degC", UnitKind::celsius), -5.5);
  EXPECT_EQ(value_of("0.035 K/W", UnitKind::kelvins_per_watt), 0.035);
  EXPECT_EQ(value_of("95 W/K", UnitKind::watts_per_kelvin), 95);
  EXPECT_EQ(value_of("20 tok/s", UnitKind::tokens_per_second), 20);
  EXPECT_EQ(value_of("230 V", UnitKind::volts), 230);
  EXPECT_EQ(value_of("16 A", UnitKind::amperes), 16);
  EXPECT_EQ(value_of("5.8 L/min", UnitKind::litres_per_hour), 5.8 * 60);
}

TEST(ParseValue, RoundsOnce) {
  EXPECT_EQ(value_of("50 us", UnitKind::seconds), 50e-6);
  EXPECT_EQ(value_of("3 ns", UnitKind::seconds), 3e-9);
  EXPECT_EQ(value_of("350 mW", UnitKind::watts), 350e-3);
}

TEST(ParseValue, TheSpaceIsOptionalButOnlyOne) {
  EXPECT_EQ(value_of("350W", UnitKind::watts), 350);
  EXPECT_FALSE(parse_value("350  W", UnitKind::watts).ok());
  EXPECT_FALSE(parse_value(" 350 W", UnitKind::watts).ok());
  EXPECT_FALSE(parse_value("350 W ", UnitKind::watts).ok());
  EXPECT_FALSE(parse_value("350 Watt", UnitKind::watts).ok());
}

TEST(ParseValue, AMissingUnitSaysWhichAreAllowed) {
  EXPECT_EQ(hint_of("350", UnitKind::watts), "units of power: mW, W, kW, MW");
}

TEST(ParseValue, AUnitOfAnotherKindIsNamedAsSuch) {
  EXPECT_EQ(parse_value("24 W", UnitKind::bytes).error().message, "unit \"W\" is not a unit of size but of power");
}

TEST(ParseValue, BitsAndBytesAreToldApart) {
  EXPECT_TRUE(contains(hint_of("10 Gb", UnitKind::bytes_per_second), "\"10 Gbps\""));
  EXPECT_TRUE(contains(hint_of("10 GB", UnitKind::bytes_per_second), "\"10 GB/s\""));
  EXPECT_EQ(hint_of("24 gb", UnitKind::bytes), "did you mean \"24 GB\" (1e9 bytes) or \"24 GiB\" (2^30 bytes)?");
  EXPECT_EQ(hint_of("24 Gb", UnitKind::bytes), hint_of("24 gb", UnitKind::bytes));
  EXPECT_EQ(hint_of("5 KHZ", UnitKind::hertz), "did you mean \"5 kHz\"?");
}

TEST(ParseValue, SeparatorsAreRefusedWithTheTextToWrite) {
  EXPECT_TRUE(contains(hint_of("1,000 W", UnitKind::watts), "\"1000 W\""));
  EXPECT_TRUE(contains(hint_of("1'000'000 W", UnitKind::watts), "\"1000000 W\""));
  EXPECT_TRUE(contains(hint_of("1 000 W", UnitKind::watts), "\"1000 W\""));
  EXPECT_TRUE(contains(hint_of("1,5 W", UnitKind::watts), "\"1.5 W\""));
  EXPECT_FALSE(parse_value("1.000.000 W", UnitKind::watts).ok());
}

TEST(ParseValue, OnlyFiniteNumbersPass) {
  for (const char* text : {"nan W", "inf W", "-inf W", "1e400 W", "1e308 MW", "0x10 W", "", "-", ".", "W", "+5 W"}) {
    EXPECT_FALSE(parse_value(text, UnitKind::watts).ok()) << text;
  }
}

TEST(ParseValue, EveryUnitParsesAndScalesByItsFactor) {
  for (const Unit& unit : all_units()) {
    if (unit.kind == UnitKind::money || unit.kind == UnitKind::money_per_kilowatt_hour) continue;
    EXPECT_DOUBLE_EQ(value_of("2 " + std::string(unit.symbol), unit.kind), 2 * unit.factor) << unit.symbol;
  }
}

TEST(ParseValue, NoUnitIsListedTwiceForOneKind) {
  for (const Unit& a : all_units()) {
    int same = 0;
    for (const Unit& b : all_units()) same += a.kind == b.kind && a.symbol == b.symbol;
    EXPECT_EQ(same, 1) << a.symbol;
  }
}

TEST(ParseValue, AnyBytesGiveAPrintableAnswer) {
  const unsigned seed = 20;  // printed below on failure
  std::mt19937 random(seed);
  const std::string alphabet("0123456789.,-e' _kKMGTPBbpsiWh/\0\xff\xe2\x82\xac$", 38);
  for (int i = 0; i < 20000; ++i) {
    std::string text;
    const std::size_t length = random() % 12;
    for (std::size_t j = 0; j < length; ++j) text += alphabet[random() % alphabet.size()];
    const ParsedValue parsed = parse_value(text, static_cast<UnitKind>(random() % 19));
    EXPECT_TRUE(std::isfinite(parsed.value())) << "seed " << seed << " round " << i;
    for (const char c : parsed.error().message + parsed.error().hint) {
      ASSERT_TRUE(c >= 0x20 && c < 0x7f) << "seed " << seed << " round " << i;
    }
  }
}

TEST(ParseValue, LongTextIsCutInTheMessage) {
  const std::string text(1u << 20, '9');
  const ParsedValue parsed = parse_value(text + "x", UnitKind::watts);
  EXPECT_FALSE(parsed.ok());
  EXPECT_LT(parsed.error().message.size() + parsed.error().hint.size(), 300u);
}

TEST(ParseMoney, TheUnitIsTheCurrencyBeforeOrBehind) {
  EXPECT_EQ(parse_money("650 EUR").money, (Money{650, Currency::eur}));
  EXPECT_EQ(parse_money("399 USD").money, (Money{399, Currency::usd}));
  EXPECT_EQ(parse_money("\xE2\x82\xAC"
                        "650")
                .money,
            (Money{650, Currency::eur}));
  EXPECT_EQ(parse_money("$399.50").money, (Money{399.5, Currency::usd}));
  EXPECT_FALSE(parse_money("650").error.message.empty());
  EXPECT_FALSE(parse_money("650 GBP").error.message.empty());
  EXPECT_FALSE(parse_money("$650 EUR").error.message.empty());
  EXPECT_FALSE(parse_money("1,800 EUR").error.message.empty());
  EXPECT_FALSE(parse_money("0.29 EUR/kWh").error.message.empty());
}

TEST(ParseMoney, ATariffIsMoneyPerKilowattHour) {
  EXPECT_EQ(parse_money_per_kilowatt_hour("0.2872 EUR/kWh").money, (Money{0.2872, Currency::eur}));
  EXPECT_EQ(parse_money_per_kilowatt_hour("$0.16/kWh").money, (Money{0.16, Currency::usd}));
  EXPECT_FALSE(parse_money_per_kilowatt_hour("0.2872 EUR").error.message.empty());
  EXPECT_FALSE(parse_money_per_kilowatt_hour("0.2872").error.message.empty());
}

TEST(ParseMoney, AQuantityParserRefusesMoneyBecauseItWouldLoseTheCurrency) {
  EXPECT_FALSE(parse_value("650 EUR", UnitKind::money).ok());
}

}  // namespace
}  // namespace oblea
