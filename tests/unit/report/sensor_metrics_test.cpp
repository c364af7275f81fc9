#include "report/sensor_metrics.hpp"

#include <set>

#include <gtest/gtest.h>

namespace oblea {
namespace {

std::string value_of(const std::vector<Label>& labels, const std::string& name) {
  for (const Label& label : labels) {
    if (label.name == name) return label.value;
  }
  return "no such label";
}

TEST(SensorMetrics, NamesAreThoseOfTheExportersAndStandOnce) {
  std::set<std::string_view> names;
  for (const SensorMetric& metric : kSensorMetrics) names.insert(metric.name);
  EXPECT_EQ(names.size(), kSensorMetrics.size());
  for (const char* name :
       {"DCGM_FI_DEV_GPU_TEMP", "DCGM_FI_DEV_MEMORY_TEMP", "DCGM_FI_DEV_POWER_USAGE", "DCGM_FI_DEV_SM_CLOCK",
        "DCGM_FI_DEV_GPU_UTIL", "DCGM_FI_DEV_FB_USED", "node_hwmon_temp_celsius"}) {
    EXPECT_EQ(names.count(name), 1u) << name;
  }
}

TEST(SensorMetrics, ACardHasTheLabelsOfTheExporter) {
  const std::vector<Label> labels = gpu_labels(3, "NVIDIA GeForce RTX 3090", "rig");
  EXPECT_EQ(value_of(labels, "gpu"), "3");
  EXPECT_EQ(value_of(labels, "UUID"), "GPU-00000000-0000-0000-0000-000000000003");
  EXPECT_EQ(value_of(labels, "device"), "nvidia3");
  EXPECT_EQ(value_of(labels, "modelName"), "NVIDIA GeForce RTX 3090");
  EXPECT_EQ(value_of(labels, "Hostname"), "rig");
  EXPECT_EQ(value_of(labels, "job"), "oblea");
}

TEST(SensorMetrics, AProbeHasTheChipOfTheExporterAndAPosition) {
  const std::vector<Label> labels = probe_labels(1, "oil_top", "rig");
  EXPECT_EQ(value_of(labels, "chip"), "w1_bus_master1_28_000000000001");
  EXPECT_EQ(value_of(labels, "sensor"), "temp1");
  EXPECT_EQ(value_of(labels, "position"), "oil_top");
}

TEST(SensorMetrics, WhatIsSimulatedSaysSo) {
  EXPECT_EQ(value_of(probe_labels(0, "oil_top", "rig"), "job"), "oblea");
  EXPECT_EQ(value_of(supply_labels(0, "Corsair AX1600i", "rig"), "job"), "oblea");
  EXPECT_EQ(value_of(server_labels("llama-3.3-70b", "rig"), "job"), "oblea");
}

}  // namespace
}  // namespace oblea
