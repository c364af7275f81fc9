#include "power/power_control.hpp"

#include <algorithm>
#include <cmath>

#include "base/check.hpp"
#include "power/power_limit.hpp"

namespace oblea {
namespace {

constexpr double kTopOverBoost = 1.15;
constexpr Banded<double> kUnclockedShare{0.25, 0.15, 0.35};  // of the TDP
constexpr Banded<double> kClockPower{2.5, 3.0, 2.0};         // the larger power leaves fewer watts
constexpr double kVoltageFloor = 0.5;                        // of the top clock

double dynamic_share(double clock, double power) {
  if (clock >= kVoltageFloor) return std::pow(clock, power);
  return std::pow(kVoltageFloor, power) * clock / kVoltageFloor;
}

Watts locked(Watts unlocked, Watts base, double share) {
  const Watts still = std::min(base, unlocked);
  return still + (unlocked - still) * share;
}

}  // namespace

Hertz top_clock(Hertz boost) { return boost * kTopOverBoost; }

Banded<Watts> watts_at_lock(const Device& device, Watts unlocked, Hertz lock) {
  if (!device.boost_clock) return {unlocked, unlocked, unlocked};
  OBLEA_CHECK(lock > Hertz(0), "a clock lock above zero");
  const double clock = std::min(1.0, lock / top_clock(device.boost_clock->value));
  const Watts tdp = device.tdp.value;
  return {locked(unlocked, tdp * kUnclockedShare.value, dynamic_share(clock, kClockPower.value)),
          locked(unlocked, tdp * kUnclockedShare.low, dynamic_share(clock, kClockPower.low)),
          locked(unlocked, tdp * kUnclockedShare.high, dynamic_share(clock, kClockPower.high))};
}

Banded<Watts> device_watts(const Device& device, DevicePhase phase, const PowerControl& control) {
  Banded<Watts> watts = device_watts(device, phase);
  const bool busy = phase != DevicePhase::idle && phase != DevicePhase::resident;
  if (busy && control.clock_lock) {
    const Hertz lock = *control.clock_lock;
    watts = {watts_at_lock(device, watts.value, lock).value, watts_at_lock(device, watts.low, lock).low,
             watts_at_lock(device, watts.high, lock).high};
  }
  if (!control.cap) return watts;
  return {std::min(watts.value, *control.cap), std::min(watts.low, *control.cap), std::min(watts.high, *control.cap)};
}

Watts sustained_watts(const Device& device, const PowerControl& control) {
  const Watts tdp = device.tdp.value;
  const Watts unlocked = control.clock_lock ? watts_at_lock(device, tdp, *control.clock_lock).value : tdp;
  return control.cap ? std::min(*control.cap, unlocked) : unlocked;
}

Banded<double> speed_under(const Device& device, DevicePhase phase, const PowerControl& control, bool drafting) {
  OBLEA_CHECK(phase == DevicePhase::decode || phase == DevicePhase::prefill, "only work has a speed");
  const Watts tdp = device.tdp.value;
  const Watts limit = sustained_watts(device, control);
  return phase == DevicePhase::decode && !drafting ? decode_speed_at_limit(limit, tdp)
                                                   : prefill_speed_at_limit(limit, tdp);
}

}  // namespace oblea
