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

// A datacentre part without a vector figure: 2250 TFLOPS of 16-bit matrix arithmetic / 15 = 150 TFLOPS (B200: 148.9).
TEST(DeviceRates, WithoutAVectorFigureItIsAFifteenthOfTheMatrixOne) {
  Device device = card_3090();
  device.architecture = "blackwell-dc";
  device.fp32.reset();
  device.fp16_tensor->value = FlopsPerSecond(2250e12);
  const DeviceRates rates = make_device_rates(device);
  EXPECT_DOUBLE_EQ(rates.fp32, 150e12);
  EXPECT_TRUE(rates.has_estimates);
}

// RX 6800: 60 units of 64 lanes at 2.105 GHz, 16.17 TFLOPS; no matrix units, so prompts run on dot products.
TEST(DeviceRates, ARadeonWithoutMatrixUnitsHasNarrowUnitsAndByteDotProducts) {
  Device device = card_3090();
  device.vendor = "amd";
  device.architecture = "rdna2";
  device.fp32->value = FlopsPerSecond(16.17e12);
  device.fp16_tensor.reset();
  const DeviceRates rates = make_device_rates(device);
  EXPECT_NEAR(rates.unit_cycles, 60 * 2.105e9, 0.1e9);
  EXPECT_TRUE(rates.dp4a_only);
  device.fp16_tensor = Sourced<FlopsPerSecond>{FlopsPerSecond(122.8e12), {}};
  EXPECT_FALSE(make_device_rates(device).dp4a_only);
}

TEST(Band, AnEstimateAmongTheFactsWidensItByHalfAndPhysicsBoundsIt) {
  const ErrorBand band{-0.2, 0.1};
  EXPECT_NEAR(with_band(1, 0, TimingLimit::compute, band, 1).high.value(), 1.2214, 1e-4);
  EXPECT_NEAR(with_band(1, 0, TimingLimit::compute, band, 1.5).high.value(), 1.3499, 1e-4);
  EXPECT_NEAR(with_band(1, 0.95, TimingLimit::compute, band, 1).low.value(), 0.95, 1e-12);
  DeviceRates rates = make_device_rates(card_3090());
  EXPECT_DOUBLE_EQ(band_widening(PassKind::decode, rates, round_parameters()), 1);
  rates.has_estimates = true;
  EXPECT_DOUBLE_EQ(band_widening(PassKind::decode, rates, round_parameters()), 1.5);
}

TEST(Band, AFamilyThatTheFitNeverSawWidensIt) {
  TimingParameters p = round_parameters();
  p.unseen_widening = {1.4, 2.0};
  p.families[0].set(static_cast<std::size_t>(find_family("nvidia gddr")));
  DeviceRates arc = make_device_rates(card_3090());
  EXPECT_DOUBLE_EQ(band_widening(PassKind::decode, arc, p), 1);
  EXPECT_DOUBLE_EQ(band_widening(PassKind::prefill, arc, p), 2);
  arc.maker = DeviceMaker::intel;
  EXPECT_DOUBLE_EQ(band_widening(PassKind::decode, arc, p), 1.4);
  arc.has_estimates = true;
  EXPECT_DOUBLE_EQ(band_widening(PassKind::decode, arc, p), 2.1);
}

}  // namespace
}  // namespace oblea
