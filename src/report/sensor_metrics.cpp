#include "report/sensor_metrics.hpp"

#include <fmt/core.h>

namespace oblea {
namespace {

const Label kJob{"job", "oblea"};

}  // namespace

MetricFamily sensor_family(const SensorMetric& metric) {
  return {std::string(metric.name), std::string(metric.help), std::string(metric.unit), {}};
}

std::vector<Label> gpu_labels(int gpu, const std::string& model, const std::string& host) {
  return {{"gpu", fmt::format("{}", gpu)},
          {"UUID", fmt::format("GPU-00000000-0000-0000-0000-{:012}", gpu)},
          {"device", fmt::format("nvidia{}", gpu)},
          {"modelName", model},
          {"Hostname", host},
          kJob};
}

std::vector<Label> probe_labels(int probe, const std::string& position, const std::string& host) {
  return {{"chip", fmt::format("w1_bus_master1_28_{:012x}", probe)},
          {"sensor", "temp1"},
          {"position", position},
          {"Hostname", host},
          kJob};
}

std::vector<Label> supply_labels(int supply, const std::string& model, const std::string& host) {
  return {{"psu", fmt::format("{}", supply)}, {"modelName", model}, {"Hostname", host}, kJob};
}

std::vector<Label> server_labels(const std::string& model, const std::string& host) {
  return {{"model_name", model}, {"Hostname", host}, kJob};
}

}  // namespace oblea
