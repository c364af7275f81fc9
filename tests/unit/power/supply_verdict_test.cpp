#include "power/supply_verdict.hpp"

#include <vector>

#include <gtest/gtest.h>

#include "parts.hpp"

namespace oblea {
namespace {

using parts::gold;

constexpr PowerConnectors kPlenty{.pcie_8pin = 16, .hpwr_12v = 4, .eps_8pin = 2};
constexpr SharedWork kInStep{WorkSplit::tensor, false};

struct Rig {
  explicit Rig(int count, Device each = parts::rtx_3090()) : card(std::move(each)), cards(count, &card) {}
  SupplyAssessment on(const Psu& psu, int count, double host, PowerControl control = {},
                      SharedWork work = kInStep) const {
    return assess_supplies(spread_cards({&psu, count}, Watts(host), cards, control), Watts(host), cards, control, work);
  }
  SupplyAssessment mapped(const SupplyMap& map, double host) const {
    return assess_supplies(map, Watts(host), cards, {}, kInStep);
  }
  Device card;
  std::vector<const Device*> cards;
};

TEST(SupplyVerdict, FourRtx3090OnOneSupplyOf1600WattsAreTight) {
  const Rig four(4);
  const SupplyAssessment atx3 = four.on(gold(1600, kPlenty, 2.0), 1, 150);
  EXPECT_EQ(atx3.verdict, SupplyVerdict::tight);
  EXPECT_NEAR(atx3.sustained.value(), 1550, 1e-9);
  EXPECT_DOUBLE_EQ(atx3.trip.load, 1550.0 / 1600);
  EXPECT_NEAR(atx3.trip.peak_load, 2070.0 / 1600, 1e-12);  // 4 x 480 + 150
  const SupplyAssessment atx2 = four.on(gold(1600, kPlenty, 1.25), 1, 150);
  EXPECT_EQ(atx2.verdict, SupplyVerdict::tight);
  EXPECT_LT(atx3.trip.probability.value, 0.05) << "tight for its load";
  EXPECT_NEAR(atx2.trip.probability.value, 0.37, 0.01) << "and for its peaks: 129 % against 110 to 160";
}

TEST(SupplyVerdict, FourRtx3090OnTwoSuppliesOf1200WattsAreFine) {
  const SupplyAssessment both = Rig(4).on(gold(1200, kPlenty), 2, 150);
  EXPECT_EQ(both.verdict, SupplyVerdict::fine);
  EXPECT_NEAR(both.sustained.value(), 850, 1e-9);  // 150 + 2 x 350; the other has 700
  EXPECT_EQ(both.supply, 0);
}

// The same cards, host and supply: in turns their peaks hardly ever meet.
TEST(SupplyVerdict, WorkInTurnsTripsWhereWorkInStepDoes) {
  const Rig four(4);
  const Psu old = gold(1500, kPlenty, 1.25);
  const PowerControl capped{Watts(280), {}};
  EXPECT_EQ(four.on(old, 1, 150, capped).verdict, SupplyVerdict::trips);
  const SupplyAssessment turns = four.on(old, 1, 150, capped, {WorkSplit::layers, false});
  EXPECT_EQ(turns.verdict, SupplyVerdict::tight);  // 85 % of the rating
  EXPECT_LT(turns.trip.probability.value, 0.2);
}

TEST(SupplyVerdict, AnOverloadIsSaidBeforeAnythingElse) {
  EXPECT_EQ(Rig(2, parts::rtx_4090()).on(gold(850, {}), 1, 150).verdict, SupplyVerdict::overloaded);  // 1,050 W
}

// A SoC has no peaks above its TDP, so that only the sustained load speaks.
TEST(SupplyVerdict, TheRatingAndFourFifthsOfItAreTheLimits) {
  const auto verdict_at = [](double watts) {
    Device steady = parts::gpu(watts, 10);
    steady.kind = DeviceKind::soc;
    return Rig(1, steady).on(gold(1000, kPlenty), 1, 0).verdict;
  };
  EXPECT_EQ(verdict_at(800), SupplyVerdict::fine);
  EXPECT_EQ(verdict_at(801), SupplyVerdict::tight);
  EXPECT_EQ(verdict_at(1000), SupplyVerdict::tight);
  EXPECT_EQ(verdict_at(1001), SupplyVerdict::overloaded);
}

TEST(SupplyVerdict, MissingPlugsAreCounted) {
  const SupplyAssessment result = Rig(2).on(gold(1600, {.pcie_8pin = 3}), 1, 100);  // two 8-pin each
  EXPECT_EQ(result.verdict, SupplyVerdict::missing_connectors);
  EXPECT_EQ(result.missing_8pin, 1);
}

TEST(SupplyVerdict, UnequalSuppliesAreHeldToTheirOwnRatings) {
  const Psu large = gold(1600, kPlenty);
  const Psu small = gold(850, kPlenty);
  const Rig four(4);
  const SupplyAssessment fine = four.mapped({{{&large, {}}, {&small, {}}}, {0, 0, 0, 1}, 0, {}}, 150);
  EXPECT_EQ(fine.verdict, SupplyVerdict::fine);
  EXPECT_EQ(fine.supply, 0);
  EXPECT_DOUBLE_EQ(fine.trip.load, 0.75);  // 1,200 of 1,600 W
  // The same cards hung the other way round: 3 x 350 = 1,050 W on 850 W.
  const SupplyAssessment wrong = four.mapped({{{&large, {}}, {&small, {}}}, {0, 1, 1, 1}, 0, {}}, 150);
  EXPECT_EQ(wrong.verdict, SupplyVerdict::overloaded);
  EXPECT_EQ(wrong.supply, 1);
}

TEST(SupplyVerdict, TheHostMayHangOnAnySupply) {
  const Psu psu = gold(850, kPlenty);
  const Rig two(2);
  const SupplyAssessment together = two.mapped({{{&psu, {}}, {&psu, {}}}, {1, 1}, 1, {}}, 200);
  EXPECT_EQ(together.verdict, SupplyVerdict::overloaded);  // 900 W
  EXPECT_EQ(together.supply, 1);
  EXPECT_NEAR(two.mapped({{{&psu, {}}, {&psu, {}}}, {1, 1}, 0, {}}, 200).sustained.value(), 700, 1e-9);
}

// Two cards of 350 W on 1,500 W, but on a rail of 40 A x 12 V = 480 W.
TEST(SupplyVerdict, TheRailOfTheCardsIsJudgedToo) {
  const Psu psu = gold(1500, kPlenty);
  const SupplyAssessment whole = Rig(2).mapped({{{&psu, {}}}, {0, 0}, 0, {}}, 150);
  EXPECT_EQ(whole.verdict, SupplyVerdict::fine);
  const SupplyAssessment rail = Rig(2).mapped({{{&psu, Watts(480)}}, {0, 0}, 0, {}}, 150);
  EXPECT_EQ(rail.verdict, SupplyVerdict::overloaded);
  EXPECT_TRUE(rail.on_card_rail);
  EXPECT_DOUBLE_EQ(rail.trip.load, 700.0 / 480) << "the host hangs on another rail";
}

// 1,550 W on two of 1,200 W: one alone does not carry it, both together (2,133 W) do at 73 %; their plugs add up.
TEST(SupplyVerdict, SuppliesOnOneRailCarryTogether) {
  const Rig four(4);
  const Psu psu = gold(1200, {.pcie_8pin = 4});
  const auto shared = [&](SupplySharing sharing) {
    return four.mapped(spread_cards({&psu, 2}, Watts(150), four.cards, {}, sharing), 150);
  };
  EXPECT_EQ(shared(SupplySharing::redundant).verdict, SupplyVerdict::overloaded);
  EXPECT_EQ(shared(SupplySharing::load_sharing).verdict, SupplyVerdict::fine);
  EXPECT_NEAR(shared(SupplySharing::load_sharing).trip.load, 1550 / (2400 * 8.0 / 9), 1e-12);
}

}  // namespace
}  // namespace oblea
