// SensorMetrics: the names, units and labels under which a rig that stands would be seen by Prometheus.
//
// Cards: NVIDIA's dcgm-exporter (etc/default-counters.csv, commit 00d6d34). Oil probes: DS18B20 through the kernel's
// w1_therm driver and node_exporter's hwmon collector. Neither exporter knows supplies, the wall or tokens: those are
// our own names.
#pragma once

#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "report/time_series.hpp"

namespace oblea {

struct SensorMetric {
  std::string_view name;
  std::string_view help;
  std::string_view unit;  // as MetricFamily has it
};

inline constexpr SensorMetric kGpuPower{"DCGM_FI_DEV_POWER_USAGE", "Power draw (in W).", ""};
inline constexpr SensorMetric kGpuTemperature{"DCGM_FI_DEV_GPU_TEMP", "GPU temperature (in C).", ""};
inline constexpr SensorMetric kMemoryTemperature{"DCGM_FI_DEV_MEMORY_TEMP", "Memory temperature (in C).", ""};
inline constexpr SensorMetric kGpuClock{"DCGM_FI_DEV_SM_CLOCK", "SM clock frequency (in MHz).", ""};
inline constexpr SensorMetric kGpuUse{"DCGM_FI_DEV_GPU_UTIL", "GPU utilization (in %).", ""};
inline constexpr SensorMetric kGpuMemoryUsed{"DCGM_FI_DEV_FB_USED", "Framebuffer memory used (in MiB).", ""};
inline constexpr SensorMetric kProbeTemperature{"node_hwmon_temp_celsius", "Hardware monitor for temperature (input)",
                                                "celsius"};
inline constexpr SensorMetric kSupplyOutput{"oblea_psu_output_watts", "What a supply gives.", "watts"};
inline constexpr SensorMetric kWallPower{"oblea_wall_watts", "What a supply draws from the wall.", "watts"};
inline constexpr SensorMetric kPromptRate{"oblea_prompt_tokens_per_second", "Prompt tokens that are read.",
                                          "tokens_per_second"};
inline constexpr SensorMetric kOutputRate{"oblea_output_tokens_per_second", "Tokens that are generated.",
                                          "tokens_per_second"};

inline constexpr std::array<SensorMetric, 11> kSensorMetrics = {
    kGpuPower,         kGpuTemperature, kMemoryTemperature, kGpuClock,   kGpuUse,    kGpuMemoryUsed,
    kProbeTemperature, kSupplyOutput,   kWallPower,         kPromptRate, kOutputRate};

// A family without series yet.
MetricFamily sensor_family(const SensorMetric& metric);

// Every series carries job="oblea", so that nobody takes it for a measured one.
// Example: card 0 of host "rig": gpu="0", UUID="GPU-00000000-0000-0000-0000-000000000000", device="nvidia0",
// modelName="NVIDIA GeForce RTX 3090", Hostname="rig". A card that is not built has no UUID; the index stands for it.
std::vector<Label> gpu_labels(int gpu, const std::string& model, const std::string& host);

// Example: probe 1 at "oil_top": chip="w1_bus_master1_28_000000000001", sensor="temp1", position="oil_top". Kernel and
// exporter know only the chip; on a rig that stands, a relabel rule adds the position.
std::vector<Label> probe_labels(int probe, const std::string& position, const std::string& host);

// Example: supply 0: psu="0", modelName="Corsair AX1600i", Hostname="rig".
std::vector<Label> supply_labels(int supply, const std::string& model, const std::string& host);

// Of the model's server. Example: model_name="llama-3.3-70b", Hostname="rig".
std::vector<Label> server_labels(const std::string& model, const std::string& host);

}  // namespace oblea
