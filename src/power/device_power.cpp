#include "power/device_power.hpp"

#include <algorithm>

#include "base/check.hpp"

namespace oblea {
namespace {

// A model in memory keeps the clocks up: 15 to 30 W (3090), 11 to 50 W (P40), 30 to 110 W (A40).
constexpr Banded<double> kResidentTimesIdle{2.0, 1.0, 4.5};
constexpr Banded<double> kIdleKnown{1.0, 0.8, 1.25};
constexpr Banded<double> kIdleEstimated{1.0, 0.6, 1.7};

struct ClassShares {
  Banded<double> waiting;
  Banded<double> decode;
  Banded<double> prefill;
};

// n, error and rows of each in README.md. Entries marked (e) are estimates without rows of their own.
constexpr ClassShares kGddr{{0.30, 0.15, 0.43}, {0.90, 0.70, 1.00}, {0.94, 0.88, 1.00}};
constexpr ClassShares kHbm{{0.35, 0.20, 0.45} /* (e) */, {0.62, 0.43, 0.74}, {0.94, 0.75, 1.00}};
constexpr ClassShares kSoc{{0.30, 0.10, 0.50} /* (e) */, {0.88, 0.77, 1.00}, {0.95, 0.80, 1.10} /* (e) */};
constexpr ClassShares kCpu{{0.50, 0.20, 0.80}, {0.95, 0.75, 1.10}, {1.00, 0.85, 1.15}};    // (e)
constexpr ClassShares kWafer{{0.60, 0.40, 0.90}, {0.90, 0.60, 1.00}, {0.95, 0.70, 1.00}};  // (e)

const ClassShares& shares_of(PowerClass power_class) {
  switch (power_class) {
    case PowerClass::gddr:
      return kGddr;
    case PowerClass::hbm:
      return kHbm;
    case PowerClass::soc:
      return kSoc;
    case PowerClass::cpu:
      return kCpu;
    case PowerClass::wafer:
      return kWafer;
  }
  OBLEA_CHECK(false, "a power class without shares");
  return kGddr;
}

Banded<Watts> scale(Watts watts, const Banded<double>& factor) {
  return {watts * factor.value, watts * factor.low, watts * factor.high};
}

Banded<Watts> at_most(const Banded<Watts>& watts, Watts limit) {
  return {std::min(watts.value, limit), std::min(watts.low, limit), std::min(watts.high, limit)};
}

Banded<Watts> at_least(const Banded<Watts>& watts, Watts floor) {
  return {std::max(watts.value, floor), std::max(watts.low, floor), std::max(watts.high, floor)};
}

}  // namespace

PowerClass power_class(const Device& device) {
  switch (device.kind) {
    case DeviceKind::soc:
      return PowerClass::soc;
    case DeviceKind::wafer:
      return PowerClass::wafer;
    case DeviceKind::cpu:
      return PowerClass::cpu;
    case DeviceKind::gpu:
      break;
  }
  return device.memory_type.starts_with("HBM") ? PowerClass::hbm : PowerClass::gddr;
}

Banded<double> power_share(PowerClass power_class, DevicePhase phase) {
  const ClassShares& shares = shares_of(power_class);
  if (phase == DevicePhase::waiting) return shares.waiting;
  if (phase == DevicePhase::decode) return shares.decode;
  OBLEA_CHECK(phase == DevicePhase::prefill, "idle phases follow the idle watts, not the TDP");
  return shares.prefill;
}

Banded<Watts> device_watts(const Device& device, DevicePhase phase, std::optional<Watts> power_limit) {
  const Watts idle = device.idle.value;
  Banded<Watts> watts;
  if (phase == DevicePhase::idle) {
    watts = scale(idle, device.idle.is_estimate() ? kIdleEstimated : kIdleKnown);
  } else if (phase == DevicePhase::resident) {
    watts = at_most(scale(idle, kResidentTimesIdle), std::max(idle, device.tdp.value));
  } else {
    watts = at_least(scale(device.tdp.value, power_share(power_class(device), phase)), idle);
  }
  return power_limit ? at_most(watts, *power_limit) : watts;
}

Watts sustained_watts(const Device& device, std::optional<Watts> power_limit) {
  return power_limit ? std::min(device.tdp.value, *power_limit) : device.tdp.value;
}

}  // namespace oblea
