// `oblea place scenarios/immersion/four-3090.json`: four cards in a tank of oil.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/repository.hpp"

namespace oblea {
namespace {

using test::find_option;
using test::find_verdict;
using test::place_repository;
using test::value_of;
using ::testing::HasSubstr;

const char* kScenario = "scenarios/immersion/four-3090.json";

const Report& report() {
  static const Report placed = place_repository(kScenario);
  return placed;
}

// 16k tokens are 5 GiB. One card: 23.2 - 5 = 18.2 GiB of weights, which is two bits (IQ2_XXS 17.8). Two: 46.4 - 5
// = 41.4, four bits (40.3). Four: 92.8 - 5 = 87.8, eight bits (69.8).
TEST(PlaceFour3090, SaysWhatFitsOnOneTwoAndFourCards) {
  struct Row {
    const char* name;
    const char* words;
  };
  for (const Row& row : {Row{"1 of the 4 cards", "at most IQ2_XXS"}, Row{"2 of the 4 cards", "at most Q4_K_L"},
                         Row{"4 of the 4 cards", "at most Q8_0"}}) {
    const OptionRow* option = find_option(report(), row.name);
    ASSERT_NE(option, nullptr) << row.name;
    EXPECT_TRUE(option->fits) << row.name;
    EXPECT_GE(option->tokens, 16384) << row.name;
    EXPECT_THAT(option->words, HasSubstr(row.words)) << row.name;
  }
}

TEST(PlaceFour3090, SeventyBillionAtFourBitsFitsOnFourAndOnTwoButNotOnOne) {
  EXPECT_EQ(value_of(report().metrics, "fits"), 1);
  const auto with = [](const char* devices) {
    return value_of(place_repository(
                        kScenario, {{"cluster.nodes.0.devices", devices, "test"}, {"workload.context", "8192", "test"}})
                        .metrics,
                    "fits");
  };
  EXPECT_EQ(with(R"(["rtx-3090", "rtx-3090"])"), 1);
  EXPECT_EQ(with(R"(["rtx-3090"])"), 0);
}

TEST(PlaceFour3090, EveryLayerHasOneCardAndNoCardIsOverfilled) {
  ASSERT_EQ(report().placement.size(), 4u);
  int next = 0;
  double weights = 0;
  for (const DeviceRow& row : report().placement) {
    EXPECT_LE((row.weights + row.kv + row.state + row.buffers + row.runtime).value(), row.capacity.value() + 1)
        << row.device;
    weights += row.weights / kGiB;
    if (row.layers.empty()) continue;
    int first = 0, last = 0;
    ASSERT_EQ(std::sscanf(row.layers.c_str(), "%d-%d", &first, &last), 2) << row.layers;
    EXPECT_EQ(first, next);
    next = last + 1;
  }
  EXPECT_EQ(next, 80);
  EXPECT_NEAR(weights, 39.6 - 0.55, 0.1);  // 128,256 x 8,192 x 4.5 bits of token embedding stay in host memory
}

// 4 x 350 + 150 = 1,550 W DC; at 92 % that is 1,685 W.
TEST(PlaceFour3090, DrawsAbout1685WattsAtTheWall) {
  EXPECT_NEAR(value_of(report().metrics, "wall_peak_w"), 1685, 0.01 * 1685);
}

// 230 V x 16 A = 3,680 W, 2,944 W for hours; 120 V x 15 A x 0.8 = 1,440 W.
TEST(PlaceFour3090, FitsAEuropeanCircuitAndExceedsAnAmericanOne) {
  const Verdict* europe = find_verdict(report().verdicts, "circuit");
  ASSERT_NE(europe, nullptr);
  EXPECT_EQ(europe->answer, Answer::yes);
  EXPECT_THAT(europe->words, HasSubstr("2,944 W continuous"));
  const Report american = place_repository(kScenario, {{"site.circuit", "us-15a", "test"}});
  const Verdict* us = find_verdict(american.verdicts, "circuit-overloaded");
  ASSERT_NE(us, nullptr);
  EXPECT_EQ(us->answer, Answer::no);
  EXPECT_THAT(us->words, HasSubstr("1,440 W continuous by rule"));
  EXPECT_DOUBLE_EQ(value_of(american.metrics, "circuit_limit_w"), 1440);
}

// The pump's 10 W and the radiator's fans hang on the same circuit.
TEST(PlaceFour3090, TheLoadOfTheCircuitIsTheBoxAndItsLoop) {
  EXPECT_DOUBLE_EQ(value_of(report().metrics, "circuit_load_w"),
                   value_of(report().metrics, "wall_peak_w") + value_of(report().metrics, "cooling_w"));
  const Report air = place_repository("scenarios/immersion/four-3090-air.json");
  EXPECT_DOUBLE_EQ(value_of(air.metrics, "circuit_load_w"), value_of(air.metrics, "wall_peak_w"));
  EXPECT_EQ(find_metric(air.metrics, "coolant_c"), nullptr) << "no tank, no coolant";
}

// 1,550 W into 57 W/K: 27 K above a room of 22 degrees; 350 W over 0.09 K/W more at the die.
TEST(PlaceFour3090, TheOilIsWarmerThanTheGuideSays) {
  EXPECT_NEAR(value_of(report().metrics, "coolant_c"), 22 + 1550.0 / 57, 1.5);
  EXPECT_GT(value_of(report().metrics, "die_c"), 50);
  EXPECT_NEAR(value_of(report().metrics, "pue"), 1.02, 0.005);
}

// Two supplies: two cards and the host, 850 W of 1,600 W; on one, 1,550 W of 1,600 W is no comfort.
TEST(PlaceFour3090, TwoSuppliesAreFineAndOneIsNot) {
  EXPECT_NE(find_verdict(report().verdicts, "supply"), nullptr);
  const Report one = place_repository(kScenario, {{"cluster.nodes.0.psu_count", "1", "test"}});
  EXPECT_EQ(find_verdict(one.verdicts, "supply"), nullptr);
}

}  // namespace
}  // namespace oblea
