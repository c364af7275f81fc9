// Parts that the power tests share, with the figures of their datasheets.
#pragma once

#include "hardware/device.hpp"
#include "hardware/psu.hpp"

namespace oblea::parts {

template <class T>
Sourced<T> known(T value) {
  return {value, {"test", "2026", Confidence::datasheet}};
}

inline Device gpu(double tdp, double idle, const char* memory_type = "GDDR6X") {
  Device device;
  device.kind = DeviceKind::gpu;
  device.memory_type = memory_type;
  device.tdp = known(Watts(tdp));
  device.idle = known(Watts(idle));
  return device;
}

inline Device rtx_3090() {
  Device device = gpu(350, 17);
  device.transient_peak = known(Watts(480));
  device.power_connectors = known(PowerConnectors{.pcie_8pin = 2});
  return device;
}

inline Device clocked_3090() {
  Device device = rtx_3090();
  device.boost_clock = known(Hertz(1695e6));
  return device;
}

inline Device rtx_4090() {
  Device device = gpu(450, 20);
  device.power_connectors = known(PowerConnectors{.hpwr_12v = 1});
  return device;
}

// 80 PLUS Gold, 230 V EU internal and 115 V internal.
inline Psu gold(double rated, PowerConnectors connectors, double excursion_factor = 2.0) {
  Psu psu;
  psu.rated = known(Watts(rated));
  psu.efficiency_115v = known(std::vector<EfficiencyPoint>{{0.2, 0.87}, {0.5, 0.90}, {1.0, 0.87}});
  psu.efficiency_230v = known(std::vector<EfficiencyPoint>{{0.2, 0.90}, {0.5, 0.92}, {1.0, 0.89}});
  psu.connectors = known(connectors);
  psu.excursion_factor = known(excursion_factor);
  return psu;
}

}  // namespace oblea::parts
