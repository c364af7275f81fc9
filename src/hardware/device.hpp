// Device: one thing that holds weights and computes: a GPU, a SoC with unified memory, a wafer, or a CPU with its RAM.
#pragma once

#include <string>
#include <vector>

#include "hardware/sourced.hpp"
#include "units/quantity.hpp"

namespace oblea {

enum class DeviceKind { gpu, soc, wafer, cpu };

// Supply cables a card needs, by kind.
struct PowerConnectors {
  int pcie_8pin = 0;
  int pcie_6pin = 0;
  int hpwr_12v = 0;  // 12VHPWR or 12V-2x6
  int eps_8pin = 0;
};

struct Device {
  std::string id;
  std::string name;
  DeviceKind kind = DeviceKind::gpu;
  std::string vendor;        // "nvidia", "amd", "intel", "apple", "cerebras", ...
  std::string architecture;  // "ampere", "ada", "rdna3", "zen4", ...
  std::string memory_type;   // "GDDR6X", "HBM3", "DDR5-5600", "SRAM", ...

  Sourced<Bytes> memory;                          // capacity as installed
  Optional<double> usable_memory_fraction;        // of it, for the accelerator (unified memory: 0.75 by default)
  Sourced<BytesPerSecond> memory_bandwidth;       // peak of the datasheet
  Optional<BytesPerSecond> attainable_bandwidth;  // the most that any program was seen to reach
  Optional<Bytes> l2_cache;

  Optional<FlopsPerSecond> fp32;         // vector units
  Optional<FlopsPerSecond> fp16;         // vector units, where there are no matrix units
  Optional<FlopsPerSecond> fp16_tensor;  // matrix units, dense, FP32 accumulate
  Optional<FlopsPerSecond> bf16_tensor;
  Optional<FlopsPerSecond> int8;
  Optional<FlopsPerSecond> fp8;
  Optional<FlopsPerSecond> fp4;
  Optional<Hertz> boost_clock;
  Optional<double> cores;            // CPU cores, GPU cores of a SoC, wafer cores
  Optional<double> memory_channels;  // CPU

  Optional<double> pcie_generation;
  Optional<double> pcie_lanes;
  Optional<double> slot_width;  // slots of 20.32 mm the cooler covers
  Optional<PowerConnectors> power_connectors;
  Optional<BytesPerSecond> nvlink;  // both directions together; absent or 0: none

  Sourced<Watts> tdp;
  Sourced<Watts> idle;
  Optional<Watts> transient_peak;  // below 1 ms
  Optional<Celsius> temperature_max;
  Optional<Celsius> temperature_target;  // clocks fall from here on

  Optional<Seconds> hop_latency;          // wafer to wafer
  Optional<BytesPerSecond> io_bandwidth;  // off the wafer, one direction
  Optional<Seconds> layer_latency;        // wafer: one decoder layer for one token, from published rates

  std::string note;
};

// Memory that weights, KV and buffers may use: capacity times the usable fraction.
// Example: an M1 Max with 64 GiB and the default fraction 0.75 gives 48 GiB.
inline Bytes accelerator_memory(const Device& device) {
  return device.memory.value * value_or(device.usable_memory_fraction, 1.0);
}

}  // namespace oblea
