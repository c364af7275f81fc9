#include "study/box_supplies.hpp"

#include <gtest/gtest.h>

#include "unit/power/parts.hpp"

namespace oblea {
namespace {

using parts::gold;
using parts::known;

constexpr SharedWork kInStep{WorkSplit::tensor, false};

// Four RTX 3090 and 150 W of host.
struct Rig {
  Rig() {
    host.idle = known(Watts(80));
    host.load = known(Watts(150));
    box.host = &host;
    box.devices.assign(4, &card);
    old.name = "Old";
    large.name = "Large";
    small.name = "Small";
  }
  std::string words() const { return supply_words(box, assess_box_supplies(box, kInStep), kInStep); }

  Device card = parts::clocked_3090();
  Host host;
  Psu old = gold(1500, {.pcie_8pin = 9}, 1.25);
  Psu large = gold(1600, {.pcie_8pin = 9});
  Psu small = gold(850, {.pcie_8pin = 2});
  Box box;
};

// At caps of 230 W: 4 x 230 + 150 = 1,070 W; 4 x 480 + 150 = 2,070 W. The cure is that of find_cure's example.
TEST(BoxSupplies, SayLoadPeaksLimitProbabilityAndCure) {
  Rig rig;
  rig.box.psu = &rig.old;
  rig.box.power_limit = Watts(230);
  EXPECT_EQ(rig.words(),
            "1x Old: 1,070 W DC on the fullest (71 % of 1,500 W), peaks 2,070 W (138 %); trips below 1 ms: 0.57 (0.35 "
            "to 0.71); a clock lock of 1,740 MHz cures it, no cap does");
  rig.box.clock_lock = Hertz(1740e6);
  EXPECT_EQ(assess_box_supplies(rig.box, kInStep).verdict, SupplyVerdict::fine);
}

// 1,550 W of 1,600 W: a cap that brings it to 80 % is (1,280 - 150) / 4 = 282.5, so 280 W.
TEST(BoxSupplies, ACapCuresALoad) {
  Rig rig;
  rig.box.psu = &rig.large;
  EXPECT_NE(rig.words().find("; a cap of 280 W or a clock lock of "), std::string::npos) << rig.words();
}

TEST(BoxSupplies, PlugsTooFewAreSaidWithoutACure) {
  Rig rig;
  rig.large.connectors = known(PowerConnectors{.pcie_8pin = 7});
  rig.box.psu = &rig.large;
  EXPECT_NE(rig.words().find("; 1 PCIe 8-pin plugs too few"), std::string::npos) << rig.words();
  EXPECT_EQ(rig.words().find("cures"), std::string::npos) << rig.words();
}

// Three cards and the host on 1,600 W: 1,200 W, 75 %, 0.905; one card on 850 W: 350 W, 41.2 %, 0.914118.
TEST(BoxSupplies, DescribedOneByOneEachDrawsForItsOwnCards) {
  Rig rig;
  rig.box.supplies = {{&rig.small, {}}, {&rig.large, {}}};
  rig.box.device_supply = {1, 0, 1, 1};
  rig.box.host_supply = 1;
  EXPECT_EQ(supply_map_of(rig.box).card_supply, (std::vector<int>{1, 0, 1, 1}));
  const SupplyAssessment assessment = assess_box_supplies(rig.box, kInStep);
  EXPECT_EQ(assessment.verdict, SupplyVerdict::fine);
  EXPECT_EQ(rig.words().substr(0, 59), "2 of 2 supplies, Large: 1,200 W DC on it (75 % of 1,600 W),");
  BoxDraw draw = box_draw(rig.box, true);
  draw.devices = {Watts(1400), Watts(1400), Watts(1400)};
  const double wall = 1200 / 0.905 + 350 / (0.90 + 0.02 * (350.0 / 850 - 0.2) / 0.3);
  EXPECT_NEAR(box_wall_watts(draw, rig.box, 230).value.value(), wall, 1e-6);
}

TEST(BoxSupplies, ADeviceOfTheHostIsNoCard) {
  Rig rig;
  Device soc = parts::gpu(100, 5);
  soc.kind = DeviceKind::soc;
  rig.box.devices = {&soc, &rig.card};
  rig.box.supplies = {{&rig.large, {}}, {&rig.small, {}}};
  rig.box.device_supply = {0, 1};
  EXPECT_EQ(cards_of(rig.box), std::vector<const Device*>{&rig.card});
  EXPECT_EQ(supply_map_of(rig.box).card_supply, std::vector<int>{1});
}

}  // namespace
}  // namespace oblea
