#include "timing/device_rates.hpp"

#include <gtest/gtest.h>

#include "timing/band.hpp"
#include "unit/timing/timing_cases.hpp"

namespace oblea {
namespace {

TEST(DeviceRates, UnitCyclesAreUnitsTimesClock) {
  EXPECT_NEAR(make_device_rates(card_3090()).unit_cycles, 82 * 1.695e9, 0.01e9);
  Device a100 = card_3090();
  a100.architecture = "ampere-dc";
  a100.fp32->value = FlopsPerSecond(19.49e12);
  EXPECT_NEAR(make_device_rates(a100).unit_cycles, 108 * 1.41e9, 0.1e9);
}

TEST(DeviceRates, WithoutAnInt8FigureItIsTwiceTheSixteenBitOne) {
  Device device = card_3090();
  device.int8.reset();
  EXPECT_DOUBLE_EQ(make_device_rates(device).int8, 142.4e12);
}

TEST(DeviceRates, ADeviceWithoutAnyFlopsFigureStillHasRatesButAsAnEstimate) {
  Device device = card_3090();
  device.fp32.reset();
  device.fp16_tensor.reset();
  device.int8.reset();
  const DeviceRates rates = make_device_rates(device);
  EXPECT_DOUBLE_EQ(rates.fp32, 936.2e9 * 40);
  EXPECT_TRUE(rates.has_estimates);
}

TEST(DeviceRates, MemoryIsClassedByTypeAndKind) {
  Device device = card_3090();
  EXPECT_EQ(make_device_rates(device).memory, MemoryClass::gddr);
  device.memory_type = "HBM3e";
  EXPECT_EQ(make_device_rates(device).memory, MemoryClass::hbm);
  device.memory_type = "LPDDR5X";
  EXPECT_EQ(make_device_rates(device).memory, MemoryClass::unified);
  device.kind = DeviceKind::cpu;
  EXPECT_EQ(make_device_rates(device).memory, MemoryClass::host);
  EXPECT_EQ(band_class(make_device_rates(device)), BandClass::cpu);
}

TEST(Band, AnEstimateAmongTheFactsWidensItByHalfAndPhysicsBoundsIt) {
  const ErrorBand band{-0.2, 0.1};
  EXPECT_NEAR(with_band(1, 0, TimingLimit::compute, band, false).high.value(), 1.2214, 1e-4);
  EXPECT_NEAR(with_band(1, 0, TimingLimit::compute, band, true).high.value(), 1.3499, 1e-4);
  EXPECT_NEAR(with_band(1, 0.95, TimingLimit::compute, band, false).low.value(), 0.95, 1e-12);
}

}  // namespace
}  // namespace oblea
