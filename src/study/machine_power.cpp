#include "study/machine_power.hpp"

#include <algorithm>

#include <fmt/core.h>

#include "power/wall.hpp"
#include "units/print.hpp"

namespace oblea {
namespace {

// Watts of one device that works for a share of the time and waits for the rest.
Banded<Watts> shared_watts(const Device& device, DevicePhase phase, double busy, std::optional<Watts> limit) {
  const Banded<Watts> working = device_watts(device, phase, limit);
  if (busy >= 1) return working;
  const Banded<Watts> waiting = device_watts(device, DevicePhase::waiting, limit);
  const double rest = 1 - busy;
  return {working.value * busy + waiting.value * rest, working.low * busy + waiting.low * rest,
          working.high * busy + waiting.high * rest};
}

struct Phases {
  BoxDraw idle, decode, prefill, peak;
};

void add(Banded<Watts>& sum, const Banded<Watts>& watts) {
  sum.value += watts.value;
  sum.low += watts.low;
  sum.high += watts.high;
}

Phases box_phases(const Box& box, const BusyShares& busy, std::size_t first_device) {
  Phases phases{box_draw(box, false), box_draw(box, true), box_draw(box, true), box_draw(box, true)};
  for (std::size_t i = 0; i < box.devices.size(); ++i) {
    const Device& device = *box.devices[i];
    const std::size_t index = first_device + i;
    const double share = index < busy.size() ? busy[index] : 1.0;
    const Watts peak = sustained_watts(device, box.power_limit);
    add(phases.idle.devices, device_watts(device, DevicePhase::resident, box.power_limit));
    add(phases.decode.devices, shared_watts(device, DevicePhase::decode, share, box.power_limit));
    add(phases.prefill.devices, device_watts(device, DevicePhase::prefill, box.power_limit));
    add(phases.peak.devices, {peak, peak, peak});
  }
  return phases;
}

SupplyAssessment assess_box_supply(const Box& box, double volts) {
  std::vector<CardDraw> cards;
  for (const Device* device : box.devices) {
    if (!is_box_device(*device)) cards.push_back(worst_card_draw(*device, box.power_limit));
  }
  const BoxDraw host = box_draw(box, true);
  return assess_supplies({box.psu, box.psu_count}, host.host + host.nics + host.storage, cards, volts);
}

int severity(SupplyVerdict verdict) {
  switch (verdict) {
    case SupplyVerdict::fine:
      return 0;
    case SupplyVerdict::tight:
      return 1;
    case SupplyVerdict::trips_on_transients:
      return 2;
    case SupplyVerdict::missing_connectors:
      return 3;
    case SupplyVerdict::overloaded:
      return 4;
  }
  return 0;
}

}  // namespace

BoxDraw box_draw(const Box& box, bool busy) {
  BoxDraw draw;
  draw.host = host_dc_watts(*box.host, busy);
  if (box.nic != nullptr && box.nic->id != box.host->nic) draw.nics = box.nic->power.value;
  if (box.disk != nullptr) draw.storage = box.disk->power.value;
  return draw;
}

Banded<Watts> box_wall_watts(const BoxDraw& draw, const Box& box, double volts) {
  if (box.psu != nullptr) return wall_watts(draw, {box.psu, box.psu_count}, volts);
  const Banded<Watts> dc = dc_watts(draw);
  return {own_supply_wall_watts(dc.value), own_supply_wall_watts(dc.low), own_supply_wall_watts(dc.high)};
}

MachinePower assess_power(const Machine& machine, const BusyShares& decode_busy, const Circuit& circuit,
                          Watts cooling) {
  MachinePower power;
  std::size_t device = 0;
  Watts peak{};
  for (std::size_t b = 0; b < machine.boxes.size(); ++b) {
    const Box& box = machine.boxes[b];
    const Phases phases = box_phases(box, decode_busy, device);
    device += box.devices.size();
    add(power.wall_idle, box_wall_watts(phases.idle, box, circuit.volts));
    add(power.wall_decode, box_wall_watts(phases.decode, box, circuit.volts));
    add(power.wall_prefill, box_wall_watts(phases.prefill, box, circuit.volts));
    peak += box_wall_watts(phases.peak, box, circuit.volts).value;
    if (box.psu == nullptr) continue;
    power.supplies.push_back(assess_box_supply(box, circuit.volts));
    power.supply_box.push_back(static_cast<int>(b));
  }
  const Watts network =
      machine.network_switch == nullptr ? Watts(0) : own_supply_wall_watts(machine.network_switch->power.value);
  for (Banded<Watts>* sum : {&power.wall_idle, &power.wall_decode, &power.wall_prefill}) {
    add(*sum, {network + cooling, network + cooling, network + cooling});
  }
  power.wall_peak = peak + network;
  power.circuit = assess_circuit(circuit, power.wall_peak, cooling);
  return power;
}

SupplyVerdict worst_supply(const MachinePower& power) {
  SupplyVerdict worst = SupplyVerdict::fine;
  for (const SupplyAssessment& supply : power.supplies) {
    if (severity(supply.verdict) > severity(worst)) worst = supply.verdict;
  }
  return worst;
}

std::string supply_words(const SupplyAssessment& assessment, const PsuSet& set) {
  const Watts rated = set.psu->rated.value;
  const Watts survived = rated * set.psu->excursion_factor.value;
  std::string text =
      fmt::format("{}x {}: {} DC on the fullest ({:.0f} % of {}), {} below 1 ms against {} that it must survive",
                  set.count, set.psu->name, print_watts(assessment.sustained), 100 * assessment.load,
                  print_watts(rated), print_watts(assessment.transient), print_watts(survived));
  if (assessment.missing_8pin > 0) text += fmt::format("; {} PCIe 8-pin plugs too few", assessment.missing_8pin);
  return text;
}

std::string circuit_words(const CircuitAssessment& assessment, const Circuit& circuit) {
  const std::string rule = circuit.continuous_is_rule ? "continuous by rule" : "continuous as good practice";
  return fmt::format("{} at the wall at most on {}: {} breaker, {} {}", print_watts(assessment.load), circuit.name,
                     print_watts(breaker_watts(circuit)), print_watts(continuous_watts(circuit)), rule);
}

bool choose_supply(Box& box, const std::vector<PricedPsu>& by_price, int count_max, double mains_volts) {
  const PricedPsu* best = nullptr;
  int best_count = 0;
  bool best_is_fine = false;
  Box trial = box;
  for (int count = 1; count <= count_max; ++count) {
    for (const PricedPsu& candidate : by_price) {
      const double price = candidate.price * count;
      trial.psu = candidate.psu;
      trial.psu_count = count;
      const SupplyVerdict verdict = assess_box_supply(trial, mains_volts).verdict;
      const bool fine = verdict == SupplyVerdict::fine;
      if (!fine && verdict != SupplyVerdict::tight) continue;
      // A supply that is merely tight is taken only where none is fine.
      const bool better =
          best == nullptr || (fine && !best_is_fine) || (fine == best_is_fine && price < best->price * best_count);
      if (!better) continue;
      best = &candidate;
      best_count = count;
      best_is_fine = fine;
    }
  }
  if (best == nullptr) return false;
  box.psu = best->psu;
  box.psu_count = best_count;
  return true;
}

}  // namespace oblea
