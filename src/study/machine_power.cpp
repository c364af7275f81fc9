#include "study/machine_power.hpp"

#include <algorithm>

namespace oblea {
namespace {

// Watts of one device that works for a share of the time and waits for the rest.
Banded<Watts> shared_watts(const Device& device, DevicePhase phase, double busy, const PowerControl& control) {
  const Banded<Watts> working = device_watts(device, phase, control);
  if (busy >= 1) return working;
  const Banded<Watts> waiting = device_watts(device, DevicePhase::waiting, control);
  const double rest = 1 - busy;
  return {working.value * busy + waiting.value * rest, working.low * busy + waiting.low * rest,
          working.high * busy + waiting.high * rest};
}

struct Phases {
  BoxDraw idle, decode, prefill, peak;
};

Phases box_phases(const Box& box, const BusyShares& busy, std::size_t first_device) {
  Phases phases{box_draw(box, false), box_draw(box, true), box_draw(box, true), box_draw(box, true)};
  const PowerControl control = box.control();
  for (std::size_t i = 0; i < box.devices.size(); ++i) {
    const Device& device = *box.devices[i];
    const std::size_t index = first_device + i;
    const double share = index < busy.size() ? busy[index] : 1.0;
    const Watts peak = sustained_watts(device, control);
    add(phases.idle.devices, device_watts(device, DevicePhase::resident, control));
    add(phases.decode.devices, shared_watts(device, DevicePhase::decode, share, control));
    add(phases.prefill.devices, device_watts(device, DevicePhase::prefill, control));
    add(phases.peak.devices, Banded<Watts>{peak, peak, peak});
  }
  return phases;
}

}  // namespace

SharedWork shared_work(const Placement* placement, bool drafting) {
  return placement == nullptr ? SharedWork{WorkSplit::tensor, drafting} : work_of_stages(placement->stages, drafting);
}

MachinePower assess_power(const Machine& machine, const BusyShares& decode_busy, const SharedWork& work,
                          const Mains& mains) {
  MachinePower power;
  power.mains = mains;
  power.work = work;
  std::size_t device = 0;
  Watts peak{};
  for (std::size_t b = 0; b < machine.boxes.size(); ++b) {
    const Box& box = machine.boxes[b];
    const Phases phases = box_phases(box, decode_busy, device);
    device += box.devices.size();
    add(power.wall_idle, box_wall_watts(phases.idle, box, mains.volts()));
    add(power.wall_decode, box_wall_watts(phases.decode, box, mains.volts()));
    add(power.wall_prefill, box_wall_watts(phases.prefill, box, mains.volts()));
    peak += box_wall_watts(phases.peak, box, mains.volts()).value;
    if (!box.has_supply()) continue;
    power.supplies.push_back(assess_box_supplies(box, work));
    power.supply_box.push_back(static_cast<int>(b));
  }
  const Watts network =
      machine.network_switch == nullptr ? Watts(0) : own_supply_wall_watts(machine.network_switch->power.value);
  const Watts beside = network + mains.cooling;
  for (Banded<Watts>* sum : {&power.wall_idle, &power.wall_decode, &power.wall_prefill}) {
    add(*sum, Banded<Watts>{beside, beside, beside});
  }
  power.wall_peak = peak + network;
  power.circuit = assess_circuit(*mains.circuit, power.wall_peak + mains.cooling, mains.others);
  const bool prompts_draw_more = power.wall_prefill.value > power.wall_decode.value;
  power.breaker = assess_breaker(mains, prompts_draw_more ? power.wall_prefill : power.wall_decode);
  if (mains.ups) power.ups = assess_ups_of(*mains.ups, power.wall_peak + mains.cooling, power.wall_decode);
  return power;
}

SupplyVerdict worst_supply(const MachinePower& power) {
  SupplyVerdict worst = SupplyVerdict::fine;
  for (const SupplyAssessment& supply : power.supplies) worst = std::max(worst, supply.verdict);
  return worst;
}

}  // namespace oblea
