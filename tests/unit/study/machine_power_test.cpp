#include "study/machine_power.hpp"

#include <gtest/gtest.h>

#include "unit/power/parts.hpp"

namespace oblea {
namespace {

using parts::gold;
using parts::known;

// A site that names its circuit alone; cards in step.
MachinePower assess(const Machine& machine, const BusyShares& busy, const char* circuit, Watts cooling = Watts(0)) {
  Site site;
  site.circuit = circuit;
  return assess_power(machine, busy, {WorkSplit::tensor, false}, mains_of(site, cooling));
}

// Four RTX 3090 (350 W, idle 17 W, 480 W below 1 ms) on a board of 80 W idle at the wall and 150 W busy, DC.
struct Rig {
  Rig() {
    host.idle = known(Watts(80));
    host.load = known(Watts(150));
    host.nic = "onboard";
    onboard.id = "onboard";
    box.host = &host;
    box.nic = &onboard;
    box.devices.assign(4, &card);
    box.psu = &psu;
  }
  Machine machine() const { return {{box}}; }

  Device card = parts::rtx_3090();
  Host host;
  Nic onboard;
  Psu psu = gold(1600, {.pcie_8pin = 9, .eps_8pin = 1});
  Box box;
};

// 1,550 W DC is 96.9 % of 1,600 W: 0.92 - 0.03 x 0.9375 = 0.891875, so 1,737.9 W at the wall.
TEST(MachinePower, AtItsPeakEveryCardDrawsItsTdp) {
  const Rig rig;
  const MachinePower power = assess(rig.machine(), {}, "eu-16a");
  EXPECT_NEAR(power.wall_peak.value(), 1550 / 0.891875, 0.01);
  EXPECT_EQ(power.circuit.verdict, CircuitVerdict::fits);
  EXPECT_NEAR(power.circuit.load.value(), power.wall_peak.value(), 1e-9);
}

// Decode: 4 x 315 + 150 = 1,410 W, 88.125 %: 0.897125. Idle: 4 x 34 + 0.85 x 80 = 204 W, below 20 %: 0.90.
TEST(MachinePower, EachPhaseHasItsOwnWatts) {
  const Rig rig;
  const MachinePower power = assess(rig.machine(), {}, "eu-16a");
  EXPECT_NEAR(power.wall_decode.value.value(), 1410 / 0.897125, 0.01);
  EXPECT_NEAR(power.wall_idle.value.value(), 204 / 0.90, 0.01);
  for (const Banded<Watts>* watts : {&power.wall_idle, &power.wall_decode, &power.wall_prefill}) {
    EXPECT_LE(watts->low, watts->value);
    EXPECT_LE(watts->value, watts->high);
  }
  EXPECT_LT(power.wall_decode.value, power.wall_prefill.value);
  EXPECT_LT(power.wall_prefill.value, power.wall_peak);
}

// A pipeline: each card works a quarter of the step (315 W) and waits for the rest (0.30 x 350 = 105 W): 157.5 W.
// 4 x 157.5 + 150 = 780 W, 48.75 %: 0.90 + 0.02 x (0.4875 - 0.2) / 0.3 = 0.919167.
TEST(MachinePower, ACardThatWaitsDrawsLess) {
  const Rig rig;
  const MachinePower power = assess(rig.machine(), {0.25, 0.25, 0.25, 0.25}, "eu-16a");
  EXPECT_NEAR(power.wall_decode.value.value(), 780 / (0.90 + 0.02 * 0.2875 / 0.3), 0.01);
}

TEST(MachinePower, ALimitHoldsInEveryPhase) {
  Rig rig;
  rig.box.power_limit = Watts(280);
  const MachinePower power = assess(rig.machine(), {}, "eu-16a");
  // 4 x 280 + 150 = 1,270 W, 79.375 %: 0.92 - 0.03 x 0.5875 = 0.902375.
  EXPECT_NEAR(power.wall_peak.value(), 1270 / 0.902375, 0.01);
  EXPECT_NEAR(power.wall_decode.value.value(), 1270 / 0.902375, 0.01);
}

// 1,550 W on 1,600 W is tight; peaks of 2,070 W in step trip 1,500 W of older rules, held to 280 W a card.
TEST(MachinePower, JudgesTheSupplyOfEveryBox) {
  Rig rig;
  const MachinePower modern = assess(rig.machine(), {}, "eu-16a");
  ASSERT_EQ(modern.supplies.size(), 1u);
  EXPECT_EQ(worst_supply(modern), SupplyVerdict::tight);
  rig.psu = gold(1500, {.pcie_8pin = 9, .eps_8pin = 1}, 1.25);
  rig.box.power_limit = Watts(280);
  EXPECT_EQ(worst_supply(assess(rig.machine(), {}, "eu-16a")), SupplyVerdict::trips);
  rig.box.power_limit = {};
  rig.psu = gold(1200, {.pcie_8pin = 9, .eps_8pin = 1});
  EXPECT_EQ(worst_supply(assess(rig.machine(), {}, "eu-16a")), SupplyVerdict::overloaded);
  rig.box.psu_count = 2;
  EXPECT_EQ(worst_supply(assess(rig.machine(), {}, "eu-16a")), SupplyVerdict::fine);
}

TEST(MachinePower, TheWorstBoxCountsAndUndescribedSuppliesAreLeftOut) {
  Rig rig;
  Machine machine = rig.machine();
  Box bare = rig.box;
  bare.psu = nullptr;
  machine.boxes.insert(machine.boxes.begin(), bare);
  const MachinePower power = assess(machine, {}, "eu-16a");
  ASSERT_EQ(power.supplies.size(), 1u);
  EXPECT_EQ(power.supply_box[0], 1);
  EXPECT_EQ(worst_supply(power), SupplyVerdict::tight);
  EXPECT_EQ(worst_supply(assess({{bare}}, {}, "eu-16a")), SupplyVerdict::fine);
}

// 1,550 W at 115 V lose more: 0.90 - 0.03 x 0.9375 = 0.871875, 1,777.8 W; a 15 A circuit allows 1,440 W for hours.
TEST(MachinePower, TheCircuitMayNotCarryIt) {
  const Rig rig;
  const MachinePower power = assess(rig.machine(), {}, "us-15a");
  EXPECT_NEAR(power.wall_peak.value(), 1550 / 0.871875, 0.01);
  EXPECT_EQ(power.circuit.verdict, CircuitVerdict::does_not_fit);
}

// A switch of 23 W DC draws 23 / 0.88 = 26.1 W at every time. Cooling of 35 W counts in every phase and on the circuit;
// `wall_peak` is the machine's alone.
TEST(MachinePower, CoolingAndSwitchCountInEveryPhase) {
  const Rig rig;
  Switch network_switch;
  network_switch.power = known(Watts(23));
  Machine machine = rig.machine();
  const MachinePower alone = assess(machine, {}, "eu-16a");
  machine.network_switch = &network_switch;
  const MachinePower more = assess(machine, {}, "eu-16a", Watts(35));
  const double added = 35 + 23 / 0.88;
  EXPECT_NEAR((more.wall_peak - alone.wall_peak).value(), 23 / 0.88, 1e-6);
  EXPECT_NEAR((more.circuit.load - alone.circuit.load).value(), added, 1e-6);
  EXPECT_NEAR((more.wall_idle.value - alone.wall_idle.value).value(), added, 1e-6);
  EXPECT_NEAR((more.wall_decode.low - alone.wall_decode.low).value(), added, 1e-6);
  EXPECT_NEAR((more.wall_prefill.high - alone.wall_prefill.high).value(), added, 1e-6);
}

TEST(MachinePower, AnAddedNicDrawsItsWattsAndTheHostsOwnDoesNot) {
  Rig rig;
  Nic added;
  added.id = "added";
  added.power = known(Watts(20));
  const Watts own = assess(rig.machine(), {}, "eu-16a").wall_idle.value;
  rig.box.nic = &added;
  // 224 W DC at 0.90.
  EXPECT_NEAR(assess(rig.machine(), {}, "eu-16a").wall_idle.value.value(), 224 / 0.90, 0.01);
  EXPECT_NEAR(own.value(), 204 / 0.90, 0.01);
}

// What cards do together is read off the placement: groups are in step, stages in turns.
TEST(MachinePower, ThePlacementSaysWhetherPeaksMeet) {
  Placement placement;
  placement.stages.resize(1);
  placement.stages[0].devices = {0};
  EXPECT_EQ(shared_work(&placement, false).split, WorkSplit::independent);
  placement.stages[0].devices = {0, 1};
  EXPECT_EQ(shared_work(&placement, true).split, WorkSplit::tensor);
  EXPECT_TRUE(shared_work(&placement, true).drafting);
  placement.stages.assign(2, Stage{});
  placement.stages[0].devices = {0};
  placement.stages[1].devices = {1};
  EXPECT_EQ(shared_work(&placement, false).split, WorkSplit::layers);
  EXPECT_EQ(shared_work(nullptr, false).split, WorkSplit::tensor) << "nothing is known: the harder case";
}

// 1,737.9 W and 2,500 W on 3,680 W: 1.15 times at the peak; in prefill 4 x 0.94 x 350 + 150 = 1,466 W DC.
TEST(MachinePower, OtherLoadsHangOnTheSameBreaker) {
  const Rig rig;
  Site site;
  site.other_loads = Watts(2500);
  const MachinePower power = assess_power(rig.machine(), {}, {WorkSplit::tensor, false}, mains_of(site));
  EXPECT_NEAR(power.circuit.load.value(), 1550 / 0.891875 + 2500, 0.01);
  EXPECT_EQ(power.circuit.verdict, CircuitVerdict::does_not_fit);
  EXPECT_NEAR(power.breaker.load.value, (power.wall_prefill.value.value() + 2500) / 3680, 1e-12);
  EXPECT_EQ(power.breaker.verdict, BreakerVerdict::may_open);
}

}  // namespace
}  // namespace oblea
