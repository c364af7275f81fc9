#include "power/wall.hpp"

#include <array>

#include <gtest/gtest.h>

#include "parts.hpp"
#include "power/circuit.hpp"
#include "power/device_power.hpp"

namespace oblea {
namespace {

Psu flat_92_percent(double rated) {
  Psu psu = parts::gold(rated, {});
  psu.efficiency_230v.value = {{0.0, 0.92}, {1.0, 0.92}};
  return psu;
}

TEST(Wall, FourRtx3090Draw1685Watts) {
  std::array<Banded<Watts>, 4> cards;
  cards.fill({Watts(350), Watts(350), Watts(350)});
  const Psu psu = flat_92_percent(1200);
  const BoxDraw box{.devices = sum_watts(cards), .host = Watts(150)};
  EXPECT_EQ(dc_watts(box).value, Watts(1550));
  const Banded<Watts> wall = wall_watts(box, {&psu, 2}, 230);
  EXPECT_NEAR(wall.value.value(), 1685, 0.5);  // 1,550 / 0.92 = 1,684.8
  EXPECT_NEAR(wall.low.value(), 1658, 0.5);    // 1,550 / 0.935
  EXPECT_EQ(assess_circuit(*find_circuit("eu-16a"), wall.value).verdict, CircuitVerdict::fits);
  EXPECT_EQ(assess_circuit(*find_circuit("us-15a"), wall.value).verdict, CircuitVerdict::does_not_fit);
}

TEST(Wall, EveryPartCounts) {
  const BoxDraw box{.devices = {Watts(100), Watts(80), Watts(120)},
                    .host = Watts(50),
                    .nics = Watts(10),
                    .cooling = Watts(35),
                    .storage = Watts(7)};
  EXPECT_EQ(dc_watts(box).value, Watts(202));
  EXPECT_EQ(dc_watts(box).low, Watts(182));
  EXPECT_EQ(dc_watts(box).high, Watts(222));
}

TEST(Wall, NothingDrawsNothing) {
  const Psu psu = flat_92_percent(1000);
  EXPECT_EQ(wall_watts({}, {&psu, 1}, 230).value, Watts(0));
}

TEST(Wall, AnIdleHostIsMeasuredAtTheWallAndABusyOneIsDc) {
  Host host;
  host.idle = parts::known(Watts(80));
  host.load = parts::known(Watts(150));
  EXPECT_DOUBLE_EQ(host_dc_watts(host, false).value(), 68);
  EXPECT_DOUBLE_EQ(host_dc_watts(host, true).value(), 150);
}

TEST(Wall, ABoxWithItsOwnBrickLosesTwelvePercent) { EXPECT_NEAR(own_supply_wall_watts(Watts(23)).value(), 26.1, 0.05); }

TEST(Wall, PumpAndFansAreTwoPercentOfAHomeTank) {
  EXPECT_NEAR(power_usage_effectiveness(Watts(1685), Watts(35)), 1.021, 0.0005);
}

// Published wall watts with a card on a Raspberry Pi, where nearly all of it is the card: its peak over a decode run.
// 0.90 stands for the rig's supply, 8 W DC for the Pi (estimates). The band must hold at least 8 of these 10.
TEST(Wall, TheBandHoldsMostPublishedPeaksOfCardsOnAPi) {
  struct Row {
    double tdp;
    double wall;
  };
  constexpr Row kRows[] = {{450, 397.5}, {285, 253},   {285, 235}, {140, 162.8}, {170, 193.7},
                           {170, 180.9}, {300, 279.7}, {300, 281}, {300, 315},   {165, 156}};
  Psu psu = flat_92_percent(850);
  psu.efficiency_230v.value = {{0.0, 0.90}, {1.0, 0.90}};
  int inside = 0;
  for (const Row& row : kRows) {
    const BoxDraw box{.devices = device_watts(parts::gpu(row.tdp, 10), DevicePhase::decode), .host = Watts(8)};
    const Banded<Watts> wall = wall_watts(box, {&psu, 1}, 230);
    inside += wall.low <= Watts(row.wall) && Watts(row.wall) <= wall.high;
  }
  EXPECT_GE(inside, 8);
}

}  // namespace
}  // namespace oblea
