#include "power/psu.hpp"

#include <vector>

#include <gtest/gtest.h>

#include "parts.hpp"

namespace oblea {
namespace {

using parts::gold;
using parts::rtx_3090;
using parts::rtx_4090;

constexpr PowerConnectors kPlenty{.pcie_8pin = 16, .hpwr_12v = 4, .eps_8pin = 2};

SupplyAssessment assess(const Psu& psu, int count, double host, const std::vector<CardDraw>& cards) {
  return assess_supplies({&psu, count}, Watts(host), cards, 230);
}

TEST(Supply, EfficiencyIsLinearBetweenTheStatedLoadsAndClampedOutside) {
  const Psu psu = gold(850, kPlenty);
  EXPECT_DOUBLE_EQ(supply_efficiency(psu, Watts(425), 230), 0.92);
  EXPECT_DOUBLE_EQ(supply_efficiency(psu, Watts(425), 120), 0.90);
  EXPECT_DOUBLE_EQ(supply_efficiency(psu, Watts(10), 230), 0.90);
  EXPECT_DOUBLE_EQ(supply_efficiency(psu, Watts(2000), 230), 0.89);
  // 600 / 850 = 0.7059: 0.92 - 0.03 x (0.7059 - 0.5) / 0.5 = 0.90765
  EXPECT_NEAR(supply_efficiency(psu, Watts(600), 230), 0.90765, 1e-5);
  EXPECT_NEAR(supply_wall_watts(psu, Watts(600), 230).value(), 661.05, 0.01);
}

TEST(Supply, AMissingCurveIsReplacedByTheOtherOne) {
  Psu psu = gold(850, kPlenty);
  psu.efficiency_115v.value.clear();
  EXPECT_DOUBLE_EQ(supply_efficiency(psu, Watts(425), 120), 0.92);
}

TEST(Supply, FourRtx3090OnOneSupplyOf1600WattsAreTightOrTrip) {
  const std::vector<CardDraw> cards(4, worst_card_draw(rtx_3090()));
  const SupplyAssessment atx3 = assess(gold(1600, kPlenty, 2.0), 1, 150, cards);
  EXPECT_EQ(atx3.verdict, SupplyVerdict::tight);
  EXPECT_EQ(atx3.sustained, Watts(1550));
  EXPECT_DOUBLE_EQ(atx3.load, 1550.0 / 1600);
  EXPECT_EQ(atx3.transient, Watts(2070));  // 4 x 480 + 150
  const SupplyAssessment atx2 = assess(gold(1600, kPlenty, 1.25), 1, 150, cards);
  EXPECT_EQ(atx2.verdict, SupplyVerdict::trips_on_transients);  // 2,070 > 2,000 W
}

TEST(Supply, FourRtx3090OnTwoSuppliesOf1200WattsAreFine) {
  const std::vector<CardDraw> cards(4, worst_card_draw(rtx_3090()));
  const SupplyAssessment both = assess(gold(1200, kPlenty), 2, 150, cards);
  EXPECT_EQ(both.verdict, SupplyVerdict::fine);
  EXPECT_EQ(both.sustained, Watts(850));  // 150 + 2 x 350; the other has 700
  EXPECT_EQ(both.supply, 0);
  EXPECT_EQ(both.total_sustained, Watts(1550));
}

TEST(Supply, APowerLimitDoesNotSaveAnOldSupplyFromSpikes) {
  // Reported: a 1,500 W supply tripped under four RTX 3090 in tensor parallel, every card limited to 280 W.
  const std::vector<CardDraw> cards(4, worst_card_draw(rtx_3090(), Watts(280)));
  const SupplyAssessment result = assess(gold(1500, kPlenty, 1.25), 1, 150, cards);
  EXPECT_LT(result.load, 1);                                      // 1,270 W sustained
  EXPECT_EQ(result.verdict, SupplyVerdict::trips_on_transients);  // 2,070 > 1,875 W
}

TEST(Supply, AnOverloadIsSaidBeforeAnythingElse) {
  const std::vector<CardDraw> cards(2, worst_card_draw(rtx_4090()));
  EXPECT_EQ(assess(gold(850, {}), 1, 150, cards).verdict, SupplyVerdict::overloaded);  // 1,050 W
}

TEST(Supply, TheRatingAndFourFifthsOfItAreTheLimits) {
  const auto verdict_at = [](double watts) {
    return assess(gold(1000, kPlenty), 1, 0, {CardDraw{Watts(watts), Watts(watts), {}}}).verdict;
  };
  EXPECT_EQ(verdict_at(800), SupplyVerdict::fine);
  EXPECT_EQ(verdict_at(801), SupplyVerdict::tight);
  EXPECT_EQ(verdict_at(1000), SupplyVerdict::tight);
  EXPECT_EQ(verdict_at(1001), SupplyVerdict::overloaded);
}

TEST(Supply, APlugOf12VhpwrMayBeReplacedByTwoThreeOrFour8Pins) {
  const auto missing = [](double watts, int pcie_8pin) {
    const CardDraw card{Watts(watts), Watts(watts), {.hpwr_12v = 1}};
    return assess(gold(2000, {.pcie_8pin = pcie_8pin}), 1, 0, {card}).missing_8pin;
  };
  EXPECT_EQ(missing(285, 2), 0);
  EXPECT_EQ(missing(450, 3), 0);
  EXPECT_EQ(missing(450, 2), 1);
  EXPECT_EQ(missing(575, 4), 0);
  EXPECT_EQ(missing(575, 3), 1);
}

TEST(Supply, MissingPlugsAreCounted) {
  const std::vector<CardDraw> cards(2, worst_card_draw(rtx_3090()));  // two 8-pin each
  const SupplyAssessment result = assess(gold(1600, {.pcie_8pin = 3}), 1, 100, cards);
  EXPECT_EQ(result.verdict, SupplyVerdict::missing_connectors);
  EXPECT_EQ(result.missing_8pin, 1);
}

TEST(Supply, TheHostKeepsOneEpsPlug) {
  const CardDraw card{Watts(250), Watts(392), {.eps_8pin = 1}};  // Tesla P40
  EXPECT_EQ(assess(gold(1000, {.eps_8pin = 2}), 1, 100, {card}).missing_8pin, 0);
  EXPECT_EQ(assess(gold(1000, {.eps_8pin = 1}), 1, 100, {card}).missing_8pin, 2);
  EXPECT_EQ(assess(gold(1000, {.pcie_8pin = 2, .eps_8pin = 1}), 1, 100, {card}).missing_8pin, 0);
}

TEST(Supply, UnequalCardsGoLargestFirstToTheLightestSupply) {
  const CardDraw small{Watts(200), Watts(300), {}};
  const CardDraw large{Watts(600), Watts(900), {}};
  // Host 100 on supply 0. 600 to supply 1 (0 W), 200 to 0 (100), 200 to 0 (300): 500 and 600 W.
  const SupplyAssessment result = assess(gold(1000, kPlenty), 2, 100, {small, large, small});
  EXPECT_EQ(result.supply, 1);
  EXPECT_EQ(result.sustained, Watts(600));
}

TEST(Supply, WallWattsOfASetAreTheSumOverItsSupplies) {
  const Psu psu = gold(1000, kPlenty);
  const CardDraw card{Watts(500), Watts(700), {}};
  const SupplyAssessment result = assess(psu, 2, 0, {card, card});
  EXPECT_DOUBLE_EQ(result.total_wall.value(), 2 * 500 / 0.92);
}

}  // namespace
}  // namespace oblea
