#include "power/plugs.hpp"

#include <gtest/gtest.h>

#include "parts.hpp"

namespace oblea {
namespace {

int missing(PowerConnectors need, double watts, PowerConnectors free) { return take_plugs(need, Watts(watts), free); }

TEST(Plugs, OneOf12VhpwrMayBeReplacedByTwoThreeOrFour8Pins) {
  const PowerConnectors hpwr{.hpwr_12v = 1};
  EXPECT_EQ(missing(hpwr, 285, {.pcie_8pin = 2}), 0);
  EXPECT_EQ(missing(hpwr, 450, {.pcie_8pin = 3}), 0);
  EXPECT_EQ(missing(hpwr, 450, {.pcie_8pin = 2}), 1);
  EXPECT_EQ(missing(hpwr, 575, {.pcie_8pin = 4}), 0);
  EXPECT_EQ(missing(hpwr, 575, {.pcie_8pin = 3}), 1);
  EXPECT_EQ(missing(hpwr, 575, {.hpwr_12v = 1}), 0);
}

TEST(Plugs, A6PinTakesAn8PinWhereNoneIsLeft) {
  EXPECT_EQ(missing({.pcie_8pin = 1, .pcie_6pin = 1}, 250, {.pcie_8pin = 2}), 0);
  EXPECT_EQ(missing({.pcie_8pin = 1, .pcie_6pin = 1}, 250, {.pcie_8pin = 1}), 1);
  EXPECT_EQ(missing({.pcie_8pin = 1, .pcie_6pin = 1}, 250, {.pcie_8pin = 1, .pcie_6pin = 1}), 0);
}

TEST(Plugs, WhatWasTakenIsGone) {
  PowerConnectors free{.pcie_8pin = 3};
  EXPECT_EQ(take_plugs({.pcie_8pin = 2}, Watts(350), free), 0);
  EXPECT_EQ(take_plugs({.pcie_8pin = 2}, Watts(350), free), 1);
  EXPECT_EQ(free.pcie_8pin, 0);
}

// A Tesla P40 has one EPS plug, two PCIe 8-pin through an adapter.
TEST(Plugs, TheHostKeepsOneEpsPlug) {
  const PowerConnectors p40{.eps_8pin = 1};
  EXPECT_EQ(missing(p40, 250, plugs_for_cards(parts::gold(1000, {.eps_8pin = 2}), true)), 0);
  EXPECT_EQ(missing(p40, 250, plugs_for_cards(parts::gold(1000, {.eps_8pin = 1}), true)), 2);
  EXPECT_EQ(missing(p40, 250, plugs_for_cards(parts::gold(1000, {.eps_8pin = 1}), false)), 0);
}

}  // namespace
}  // namespace oblea
