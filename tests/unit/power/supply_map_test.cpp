#include "power/supply_map.hpp"

#include <vector>

#include <gtest/gtest.h>

#include "parts.hpp"

namespace oblea {
namespace {

using parts::gold;

constexpr PowerConnectors kPlenty{.pcie_8pin = 16, .hpwr_12v = 4, .eps_8pin = 2};

CardDraw card(double sustained) { return {Watts(sustained), Watts(sustained * 1.4), {.pcie_8pin = 2}}; }

TEST(SupplyMap, CardsAreSpreadLargestFirstToTheLightestSupply) {
  const Psu psu = gold(1200, kPlenty);
  const std::vector<CardDraw> cards = {card(450), card(350), card(350)};
  EXPECT_EQ(spread_cards({&psu, 2}, Watts(150), cards).card_supply, (std::vector<int>{1, 0, 1}));
}

TEST(SupplyMap, UnequalSuppliesAreHeldToTheirOwnRatings) {
  const Psu large = gold(1600, kPlenty);
  const Psu small = gold(850, kPlenty);
  const std::vector<CardDraw> cards(4, card(350));
  const SupplyAssessment fine = assess_supply_map({{&large, &small}, {0, 0, 0, 1}, 0}, Watts(150), cards, 230);
  EXPECT_EQ(fine.verdict, SupplyVerdict::fine);
  EXPECT_EQ(fine.supply, 0);
  EXPECT_DOUBLE_EQ(fine.load, 0.75);  // 1,200 of 1,600 W
  // The same cards hung the other way round: 3 x 350 = 1,050 W on 850 W.
  const SupplyAssessment wrong = assess_supply_map({{&large, &small}, {0, 1, 1, 1}, 0}, Watts(150), cards, 230);
  EXPECT_EQ(wrong.verdict, SupplyVerdict::overloaded);
  EXPECT_EQ(wrong.supply, 1);
  EXPECT_EQ(wrong.total_sustained, fine.total_sustained);
}

TEST(SupplyMap, TheHostMayHangOnAnySupply) {
  const Psu psu = gold(850, kPlenty);
  const std::vector<CardDraw> cards = {card(350), card(350)};
  const SupplyAssessment together = assess_supply_map({{&psu, &psu}, {1, 1}, 1}, Watts(200), cards, 230);
  EXPECT_EQ(together.verdict, SupplyVerdict::overloaded);  // 900 W
  EXPECT_EQ(together.supply, 1);
  EXPECT_EQ(assess_supply_map({{&psu, &psu}, {1, 1}, 0}, Watts(200), cards, 230).sustained, Watts(700));
}

TEST(SupplyMap, SuppliesOnOneRailCarryAllButOneOrEightNinths) {
  const std::vector<Watts> two(2, Watts(1800));
  EXPECT_EQ(joint_rating(two, SupplySharing::redundant), Watts(1800));
  EXPECT_NEAR(joint_rating(two, SupplySharing::load_sharing).value(), 3200, 1e-9);
  EXPECT_EQ(joint_rating(std::vector<Watts>{Watts(800), Watts(1200)}, SupplySharing::redundant), Watts(800));
}

}  // namespace
}  // namespace oblea
