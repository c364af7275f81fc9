#include "io/tariff_row.hpp"

#include <gtest/gtest.h>

#include "io/read_profiles.hpp"

namespace oblea {
namespace {

struct Read {
  Tariff tariff;
  std::string faults;
};

Read read(const std::string& periods, const std::string& price = "0.20 EUR/kWh") {
  const std::string text = R"({"id": "t", "name": "T", "price": ")" + price + R"(", "periods": )" + periods +
                           R"(, "source": "bill", "date": "2026-11", "confidence": "measured"})";
  const JsonDocument document = JsonDocument::parse(text, "t.json").value();
  Diagnostics diagnostics;
  Tariff tariff = parse_tariff(document, document.root(), diagnostics);
  return {std::move(tariff), print_diagnostics(diagnostics)};
}

bool holds(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

TEST(TariffRow, WithoutPeriodsEveryHourCostsTheSame) {
  const Read flat = read("null");
  EXPECT_EQ(flat.faults, "");
  EXPECT_FALSE(flat.tariff.hours);
  EXPECT_EQ(flat.tariff.per_kilowatt_hour, (Money{0.20, Currency::eur}));
}

TEST(TariffRow, APeriodOfEveryDay) {
  const Read two = read(R"([{"hours": ["0-8"], "price": "0.15 EUR/kWh"}])");
  ASSERT_EQ(two.faults, "");
  EXPECT_NEAR(two.tariff.per_kilowatt_hour.amount, 0.55 / 3, 1e-12);  // a third of the hours at 0.15
  EXPECT_EQ(two.tariff.hours->weekend[7], 0.15);
  EXPECT_EQ(two.tariff.hours->weekend[8], 0.20);
}

TEST(TariffRow, APeriodPastMidnightAndOneToMidnight) {
  const Read night = read(R"([{"days": "weekdays", "hours": ["22-6"], "price": "0.15 EUR/kWh"},
                              {"days": "weekends", "hours": ["22-24", "0-1"], "price": "0.10 EUR/kWh"}])");
  ASSERT_EQ(night.faults, "");
  for (std::size_t hour = 0; hour < 24; ++hour) {
    EXPECT_EQ(night.tariff.hours->weekday[hour], hour >= 22 || hour < 6 ? 0.15 : 0.20) << hour;
    EXPECT_EQ(night.tariff.hours->weekend[hour], hour >= 22 || hour < 1 ? 0.10 : 0.20) << hour;
  }
}

TEST(TariffRow, AWholeDayIsFrom0To24) {
  const Read whole = read(R"([{"days": "weekends", "hours": ["0-24"], "price": "0.15 EUR/kWh"}])");
  ASSERT_EQ(whole.faults, "");
  EXPECT_EQ(whole.tariff.hours->weekend[0], 0.15);
  EXPECT_EQ(whole.tariff.hours->weekend[23], 0.15);
  EXPECT_EQ(whole.tariff.hours->weekday[0], 0.20);
}

TEST(TariffRow, EveryFaultOfAPeriodIsSaidAtOnce) {
  const Read bad = read(R"([{"days": "weekday", "hours": ["8"], "price": "0.1 EUR/kWh"},
                            {"hours": ["8-25"], "price": "0.1 USD/kWh"},
                            {"hours": [], "price": "0 EUR/kWh"},
                            {"hour": ["1-2"], "price": "0.1 EUR/kWh"}])");
  EXPECT_TRUE(holds(bad.faults, "did you mean \"weekdays\"?")) << bad.faults;
  EXPECT_TRUE(holds(bad.faults, "such as \"22-6\""));
  EXPECT_TRUE(holds(bad.faults, "t.json:2:"));
  EXPECT_TRUE(holds(bad.faults, "in the tariff's currency, EUR"));
  EXPECT_TRUE(holds(bad.faults, "must be a list such as"));
  EXPECT_TRUE(holds(bad.faults, "a tariff must be greater than 0"));
  EXPECT_TRUE(holds(bad.faults, "did you mean \"hours\"?"));
}

TEST(TariffRow, AnHourStandsInOnePeriodOnly) {
  EXPECT_TRUE(holds(read(R"([{"hours": ["8-10"], "price": "0.1 EUR/kWh"},
                             {"days": "weekends", "hours": ["9-12"], "price": "0.2 EUR/kWh"}])")
                        .faults,
                    "in another period of tariff \"t\" too"));
  EXPECT_EQ(read(R"([{"days": "weekdays", "hours": ["8-10"], "price": "0.1 EUR/kWh"},
                     {"days": "weekends", "hours": ["9-12"], "price": "0.2 EUR/kWh"}])")
                .faults,
            "");
}

TEST(TariffRow, HoursAreTwoWholeNumbersWithADash) {
  for (const char* good : {"0-8", "08-10", "22-6", "23-24", "5-0"}) {
    EXPECT_EQ(read(R"([{"hours": [")" + std::string(good) + R"("], "price": "0.1 EUR/kWh"}])").faults, "") << good;
  }
  for (const char* bad : {"", "8", "8-8", "24-2", "8-25", "-1-3", "8--3", "8.5-9", "008-9", "8-9-10", "8 - 9"}) {
    EXPECT_NE(read(R"([{"hours": [")" + std::string(bad) + R"("], "price": "0.1 EUR/kWh"}])").faults, "") << bad;
  }
}

TEST(TariffRow, ADollarTariffWithoutAPeriodsPriceHasOneFault) {
  const std::string faults = read(R"([{"hours": ["8-10"]}])", "0.20 USD/kWh").faults;
  EXPECT_FALSE(holds(faults, "currency")) << faults;
  EXPECT_TRUE(holds(faults, "\"price\"")) << faults;
}

TEST(TariffRow, AListWithoutPeriodsIsAFault) {
  EXPECT_TRUE(holds(read("[]").faults, "one period or more"));
  EXPECT_TRUE(holds(read("{}").faults, "one period or more"));
}

// Punta 10-14 and 18-22, llano 8-10, 14-18 and 22-24, valle the rest of weekdays and all weekend.
TEST(TariffRow, ThreePeriodsOfSpain) {
  const Result<ProfileLibrary> library = read_profile_library(OBLEA_SOURCE_DIRECTORY "/hardware-profiles");
  ASSERT_TRUE(library.has_value());
  for (const Tariff& tariff : library->prices.tariffs) {
    if (tariff.id != "es-2.0td") continue;
    EXPECT_EQ(tariff.hours->weekday[12], 0.2874);
    EXPECT_EQ(tariff.hours->weekday[23], 0.1997);
    EXPECT_EQ(tariff.hours->weekday[3], 0.1514);
    EXPECT_EQ(tariff.hours->weekend[12], 0.1514);
    EXPECT_NEAR(tariff.per_kilowatt_hour.amount, (40 * 0.2874 + 40 * 0.1997 + 88 * 0.1514) / 168, 1e-12);
    return;
  }
  FAIL() << "no tariff es-2.0td";
}

}  // namespace
}  // namespace oblea
