// A rig as its sensors see it: every metric that oblea knows, two cards, two oil probes, two samples each.
#pragma once

#include "report/sensor_metrics.hpp"
#include "report/time_series.hpp"

namespace oblea::test {

inline constexpr double kRigBegin = 1767225600;  // 2026-01-01T00:00:00Z

// Values are told apart by family, series and sample: family 3, series 1, sample 0 is 310.25.
inline TimeSeries rig_time_series() {
  TimeSeries time_series;
  for (const SensorMetric& metric : kSensorMetrics) {
    MetricFamily family = sensor_family(metric);
    const bool is_gpu = metric.name.substr(0, 5) == "DCGM_";
    const bool is_probe = metric.name == kProbeTemperature.name;
    const bool is_supply = metric.name == kSupplyOutput.name || metric.name == kWallPower.name;
    for (int index = 0; index < (is_gpu || is_probe ? 2 : 1); ++index) {
      const double value = 100 * static_cast<double>(time_series.size()) + 10 * index + 0.25;
      family.series.push_back({is_gpu      ? gpu_labels(index, "NVIDIA GeForce RTX 3090", "rig")
                               : is_probe  ? probe_labels(index, index == 0 ? "oil_bottom" : "oil_top", "rig")
                               : is_supply ? supply_labels(index, "Corsair AX1600i", "rig")
                                           : server_labels("llama-3.3-70b", "rig"),
                               {{0, value}, {60.5, value + 1}}});
    }
    time_series.push_back(std::move(family));
  }
  return time_series;
}

}  // namespace oblea::test
