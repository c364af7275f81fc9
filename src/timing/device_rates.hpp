// DeviceRates: the datasheet facts of a device that the timing model uses, in base units.
#pragma once

#include "hardware/device.hpp"

namespace oblea {

enum class DeviceMaker { nvidia, amd, apple, intel, other };
enum class MemoryClass { gddr, hbm, unified, host };
inline constexpr int kDeviceMakerCount = 5;
inline constexpr int kMemoryClassCount = 4;

struct DeviceRates {
  DeviceMaker maker = DeviceMaker::other;
  MemoryClass memory = MemoryClass::gddr;
  bool dp4a_only = false;      // Pascal, AMD before matrix units: prompts run on dot products of four bytes
  double bandwidth = 0;        // B/s, peak
  double unit_cycles = 0;      // compute units (SM, CU, GPU core) times clock, 1/s
  double fp32 = 0;             // flop/s, vector; where the datasheet has none, a 15th of the 16-bit matrix peak
  double fp16 = 0;             // flop/s, matrix units with 32-bit accumulation, or vector
  double int8 = 0;             // op/s; where the datasheet has none, twice fp16 (GPU) or four times fp32 (CPU)
  double tdp = 0;              // W
  double cores = 0;            // CPU
  double int8_vector = 1;      // CPU: speed on quantised weights over that with int8 dot products
  bool has_estimates = false;  // a number used here is an estimate: the band widens
};

// A GPU's unit has 128 vector lanes of 2 flops a cycle (64 on Volta, Turing, A100, RDNA 2, GCN and CDNA), so units x
// clock = fp32 / (2 x lanes). Example: RTX 3090, 35.58 TFLOPS: 35.58e12 / 256 = 139.0e9 unit cycles a second (82 SMs
// x 1.695 GHz).
DeviceRates make_device_rates(const Device& device);

}  // namespace oblea
