#include "power/supply_map.hpp"

#include <vector>

#include <gtest/gtest.h>

#include "parts.hpp"

namespace oblea {
namespace {

using parts::gold;

constexpr PowerConnectors kPlenty{.pcie_8pin = 16, .hpwr_12v = 4, .eps_8pin = 2};

TEST(SupplyMap, CardsAreSpreadLargestFirstToTheLightestSupply) {
  const Psu psu = gold(1200, kPlenty);
  const Device large = parts::gpu(450, 20);
  const Device small = parts::gpu(350, 20);
  const std::vector<const Device*> cards = {&large, &small, &small};
  EXPECT_EQ(spread_cards({&psu, 2}, Watts(150), cards, {}).card_supply, (std::vector<int>{1, 0, 1}));
  // Under a cap of 200 W all are alike: 0 W, then 150 against 200, then 350 against 200.
  EXPECT_EQ(spread_cards({&psu, 2}, Watts(150), cards, {Watts(200), {}}).card_supply, (std::vector<int>{1, 0, 1}));
  EXPECT_EQ(spread_cards({&psu, 2}, Watts(500), cards, {Watts(200), {}}).card_supply, (std::vector<int>{1, 1, 1}));
}

// The lightest has no plug left: two cards of two 8-pin each on a supply with three.
TEST(SupplyMap, ACardGoesWhereItsPlugsAre) {
  const Psu psu = gold(1200, {.pcie_8pin = 3});
  const Device card = parts::rtx_3090();
  const std::vector<const Device*> cards(2, &card);
  EXPECT_EQ(spread_cards({&psu, 2}, Watts(800), cards, {}).card_supply, (std::vector<int>{1, 0}));
}

TEST(SupplyMap, SuppliesOnOneRailCarryAllButOneOrEightNinths) {
  const std::vector<Watts> two(2, Watts(1800));
  EXPECT_EQ(joint_rating(two, SupplySharing::redundant), Watts(1800));
  EXPECT_NEAR(joint_rating(two, SupplySharing::load_sharing).value(), 3200, 1e-9);
  EXPECT_EQ(joint_rating(std::vector<Watts>{Watts(800), Watts(1200)}, SupplySharing::redundant), Watts(800));
  const Psu psu = gold(1800, kPlenty);
  const Device card = parts::rtx_3090();
  const std::vector<const Device*> cards(4, &card);
  const SupplyMap map = spread_cards({&psu, 2}, Watts(150), cards, {}, SupplySharing::redundant);
  EXPECT_EQ(map.card_supply, std::vector<int>(4, 0)) << "all hang on all";
}

}  // namespace
}  // namespace oblea
