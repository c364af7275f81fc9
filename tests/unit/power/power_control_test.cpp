#include "power/power_control.hpp"

#include <gtest/gtest.h>

#include "parts.hpp"
#include "power/psu.hpp"

namespace oblea {
namespace {

TEST(PowerControl, ExamplesOfTheHeader) {
  const Device card = parts::clocked_3090();
  EXPECT_NEAR(top_clock(Hertz(1695e6)).value(), 1949.25e6, 1);
  const Banded<Watts> peak = watts_at_lock(card, Watts(480), Hertz(1550e6));
  EXPECT_NEAR(peak.value.value(), 309, 1);
  EXPECT_NEAR(peak.low.value(), 267, 1);   // 52.5 + 427.5 x 0.795^3
  EXPECT_NEAR(peak.high.value(), 348, 1);  // 122.5 + 357.5 x 0.795^2
  EXPECT_NEAR(device_watts(card, DevicePhase::decode, {{}, Hertz(1550e6)}).value.value(), 216, 1);
  EXPECT_EQ(sustained_watts(card, {Watts(280), {}}), Watts(280));
  EXPECT_NEAR(sustained_watts(card, {{}, Hertz(1550e6)}).value(), 235.5, 0.1);
  EXPECT_NEAR(sustained_watts(card, {Watts(280), Hertz(1550e6)}).value(), 235.5, 0.1);
  EXPECT_EQ(device_watts(card, DevicePhase::decode, {Watts(280), {}}).value, Watts(280));
}

TEST(PowerControl, NothingSetChangesNothing) {
  const Device card = parts::clocked_3090();
  for (const DevicePhase phase :
       {DevicePhase::idle, DevicePhase::resident, DevicePhase::waiting, DevicePhase::decode, DevicePhase::prefill}) {
    EXPECT_EQ(device_watts(card, phase, PowerControl{}).value, device_watts(card, phase).value);
    EXPECT_EQ(device_watts(card, phase, {{}, Hertz(5e9)}).high, device_watts(card, phase).high);
  }
  EXPECT_DOUBLE_EQ(speed_under(card, DevicePhase::decode, {}).value, 1);
}

TEST(PowerControl, ALowerClockNeverDrawsMoreNorRunsFaster) {
  const Device card = parts::clocked_3090();
  for (double mhz = 300; mhz < 2100; mhz += 15) {
    const PowerControl lower{{}, Hertz(mhz * 1e6)};
    const PowerControl higher{{}, Hertz((mhz + 15) * 1e6)};
    EXPECT_LE(device_watts(card, DevicePhase::prefill, lower).value,
              device_watts(card, DevicePhase::prefill, higher).value);
    EXPECT_LE(speed_under(card, DevicePhase::prefill, lower).value,
              speed_under(card, DevicePhase::prefill, higher).value);
  }
}

TEST(PowerControl, WhatASupplyTakesTimesItsEfficiencyIsWhatItGives) {
  const Psu psu = parts::gold(1000, {});
  for (double watts = 1; watts <= 1500; watts += 1) {
    for (const double volts : {115.0, 230.0}) {
      EXPECT_NEAR((supply_wall_watts(psu, Watts(watts), volts) * supply_efficiency(psu, Watts(watts), volts)).value(),
                  watts, 1e-9);
    }
  }
}

}  // namespace
}  // namespace oblea
