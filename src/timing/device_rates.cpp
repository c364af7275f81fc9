#include "timing/device_rates.hpp"

#include <algorithm>
#include <array>
#include <string_view>

namespace oblea {
namespace {

DeviceMaker maker_of(std::string_view vendor) {
  if (vendor == "nvidia") return DeviceMaker::nvidia;
  if (vendor == "amd") return DeviceMaker::amd;
  if (vendor == "apple") return DeviceMaker::apple;
  if (vendor == "intel") return DeviceMaker::intel;
  return DeviceMaker::other;
}

// 16-bit matrix flops over vector flops of a datacentre part (A100 16.0, H100 14.8, B200 15.1).
constexpr double kMatrixOverVector = 15;

MemoryClass memory_class_of(const Device& device) {
  if (device.kind == DeviceKind::cpu) return MemoryClass::host;
  if (device.kind == DeviceKind::soc || device.memory_type.starts_with("LPDDR")) return MemoryClass::unified;
  return device.memory_type.starts_with("HBM") ? MemoryClass::hbm : MemoryClass::gddr;
}

double lanes_per_unit(std::string_view architecture) {
  constexpr std::array<std::string_view, 6> kNarrow{"volta", "turing", "ampere-dc", "cdna", "gcn", "rdna2"};
  const bool narrow =
      std::ranges::any_of(kNarrow, [&](std::string_view name) { return architecture.starts_with(name); });
  return narrow ? 64 : 128;
}

// AVX-512 without VNNI: llama.cpp and ik_llama.cpp then choose their AVX2 kernels, at half the width.
bool runs_half_width(std::string_view architecture) { return architecture.starts_with("skylake"); }

// Without int8 dot products (VNNI, dotprod) one product takes three instructions.
bool has_int8_dot(std::string_view architecture) {
  constexpr std::array<std::string_view, 9> kWithout{"nehalem", "haswell", "broadwell", "skylake",   "zen1",
                                                     "zen+",    "zen2",    "zen3",      "cortex-a72"};
  return std::ranges::none_of(kWithout, [&](std::string_view name) { return architecture.starts_with(name); });
}

}  // namespace

DeviceRates make_device_rates(const Device& device) {
  DeviceRates rates;
  rates.maker = maker_of(device.vendor);
  rates.memory = memory_class_of(device);
  rates.bandwidth = device.memory_bandwidth.value.value();
  rates.fp32 = value_or(device.fp32, FlopsPerSecond(0)).value();
  rates.tdp = device.tdp.value.value();
  rates.cores = std::max(value_or(device.cores, 1.0), 1.0);
  rates.has_estimates = device.memory_bandwidth.is_estimate();
  const bool is_cpu = rates.memory == MemoryClass::host;
  const double vector16 = value_or(device.fp16, FlopsPerSecond(0)).value();
  const double matrix16 = value_or(device.fp16_tensor, value_or(device.bf16_tensor, FlopsPerSecond(0))).value();
  rates.fp16 = std::max({matrix16, vector16, rates.fp32});
  rates.dp4a_only = device.architecture == "pascal" || (rates.maker == DeviceMaker::amd && !is_cpu && matrix16 <= 0);
  if (rates.fp32 <= 0 && matrix16 > 0) {
    rates.fp32 = matrix16 / kMatrixOverVector;
    rates.has_estimates = true;
  }
  if (rates.fp32 <= 0) rates.fp32 = rates.fp16 / 2;
  if (rates.fp32 <= 0) {
    // No figure at all: a typical core, or a typical GPU's flops for its bandwidth. The band widens.
    rates.fp32 = is_cpu ? rates.cores * 32 * 3e9 : rates.bandwidth * 40;
    rates.fp16 = std::max(rates.fp16, rates.fp32);
    rates.has_estimates = true;
  }
  rates.unit_cycles = rates.fp32 / (2 * lanes_per_unit(device.architecture));

  const double int8 = value_or(device.int8, FlopsPerSecond(0)).value();
  if (is_cpu) {
    if (runs_half_width(device.architecture)) rates.fp32 /= 2;
    if (!has_int8_dot(device.architecture)) rates.int8_vector = 1.0 / 3;
    rates.int8 = std::max(int8, 4 * rates.fp32);
  } else {
    rates.int8 = int8 > 0 ? std::max(int8, rates.fp16) : 2 * rates.fp16;
  }
  return rates;
}

}  // namespace oblea
