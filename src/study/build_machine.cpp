#include "study/build_machine.hpp"

#include <algorithm>

#include <fmt/core.h>

#include "base/check.hpp"
#include "cost/bill.hpp"
#include "study/compatibility.hpp"

namespace oblea {
namespace {

constexpr Bytes kDefaultRam = kGiB * 32;  // of a host whose scenario names none

void note(Diagnostics& faults, const Scenario& scenario, std::string message, std::string hint = {}) {
  Diagnostic fault{Severity::error, {}, std::move(message), std::move(hint)};
  fault.place.file = scenario.path;
  faults.push_back(std::move(fault));
}

void seat(Box& box, const NodeSettings& node, const Nic* added_nic, const Scenario& scenario, Diagnostics& faults) {
  std::vector<PcieSlot> links;
  const std::string why_not = seat_cards(*box.host, cards_of(box), added_nic, links);
  if (!why_not.empty()) {
    note(faults, scenario,
         fmt::format("node \"{}\": {} does not take the cards: {}", node.name, box.host->name, why_not));
  }
  for (PcieSlot& link : links) {
    if (node.pcie_lanes > 0) link.lanes = std::min(link.lanes, node.pcie_lanes);
    if (node.pcie_generation > 0) link.generation = std::min(link.generation, node.pcie_generation);
  }
  // A SoC of the box itself has no slot.
  const std::size_t own = box.devices.size() - links.size();
  box.slots.assign(own <= box.devices.size() ? own : 0, PcieSlot{});
  box.slots.insert(box.slots.end(), links.begin(), links.end());
}

// The kits that reach the RAM asked for at the lowest price, for the bill.
void choose_ram(Box& box, const ProfileLibrary& library) {
  double best = 0;
  for (const auto& [id, kit] : library.storage) {
    const int kits = kits_for(*box.host, kit, box.ram_bytes);
    const Price* price = find_price(library.prices, id, true);
    if (kits == 0 || price == nullptr) continue;
    const double cost = kits * convert(price->money, Currency::eur, library.prices.rates).amount;
    if (box.ram != nullptr && cost >= best) continue;
    box.ram = &kit;
    box.ram_kits = kits;
    best = cost;
  }
}

// Cards that do not count still take their slots, so that the others keep their links.
void take_out_unused(Box& box, const NodeSettings& node) {
  if (node.unused.empty() || box.slots.size() != box.devices.size()) return;  // faults are noted where it was seated
  std::vector<bool> used(box.devices.size(), true);
  std::size_t place = box.host->soc ? 1 : 0;
  for (std::size_t i = 0; i < node.devices.size(); ++i) {
    const std::size_t at = box.host->soc && node.devices[i] == box.host->soc->value ? 0 : place++;
    used[at] = std::find(node.unused.begin(), node.unused.end(), static_cast<int>(i)) == node.unused.end();
  }
  std::vector<const Device*> devices;
  std::vector<PcieSlot> slots;
  std::vector<int> supplies;
  for (std::size_t i = 0; i < used.size(); ++i) {
    if (!used[i]) continue;
    devices.push_back(box.devices[i]);
    slots.push_back(box.slots[i]);
    if (!box.supplies.empty()) supplies.push_back(box.device_supply[i]);
  }
  box.devices = std::move(devices);
  box.slots = std::move(slots);
  box.device_supply = std::move(supplies);
}

// The host's own device hangs with the host; cards are counted as in the node.
void hang_on_supplies(Box& box, const NodeSettings& node, const ProfileLibrary& library) {
  for (std::size_t s = 0; s < node.supplies.size(); ++s) {
    const NodeSupply& supply = node.supplies[s];
    box.supplies.push_back({find(library.psus, supply.psu), supply.card_rail});
    if (supply.host) box.host_supply = static_cast<int>(s);
  }
  if (box.supplies.empty()) return;
  box.device_supply.assign(box.devices.size(), box.host_supply);
  std::size_t place = box.host->soc ? 1 : 0;
  for (std::size_t i = 0; i < node.devices.size(); ++i) {
    if (box.host->soc && node.devices[i] == box.host->soc->value) continue;
    for (std::size_t s = 0; s < node.supplies.size(); ++s) {
      const std::vector<int>& fed = node.supplies[s].devices;
      if (std::find(fed.begin(), fed.end(), static_cast<int>(i)) != fed.end())
        box.device_supply[place] = static_cast<int>(s);
    }
    ++place;
  }
}

Box build_box(const NodeSettings& node, const Scenario& scenario, const ProfileLibrary& library, Diagnostics& faults) {
  Box box;
  box.host = find(library.hosts, node.host);
  OBLEA_CHECK(box.host != nullptr, "the scenario reader checks ids");
  if (box.host->soc) box.devices.push_back(find(library.devices, box.host->soc->value));
  for (const std::string& id : node.devices) {
    const Device* device = find(library.devices, id);
    if (box.host->soc && id == box.host->soc->value) continue;
    box.devices.push_back(device);
  }
  box.nic = find(library.nics, node.nic.empty() ? box.host->nic : node.nic);
  box.nic_ports = node.nic_ports;
  box.ram_bytes = node.ram.value() > 0 ? node.ram : value_or(box.host->ram_included, kDefaultRam);
  if (node.ram.value() > 0 && !box.host->ram_included) choose_ram(box, library);
  box.ram_bytes = box.ram_bytes * node.ram_share;
  if (node.ram_share < 1 && box.host->soc) {
    note(faults, scenario,
         fmt::format("node \"{}\": replicas cannot share the device of {}", node.name, box.host->name));
  }
  box.psu = node.psu.empty() ? nullptr : find(library.psus, node.psu);
  box.psu_count = node.psu_count;
  box.supply_sharing = node.supply_sharing;
  box.power_limit = node.power_limit;
  box.clock_lock = node.clock_lock;
  hang_on_supplies(box, node, library);
  seat(box, node, node.nic.empty() || node.nic == box.host->nic ? nullptr : box.nic, scenario, faults);
  take_out_unused(box, node);
  if (box.nic_ports > box.nic->ports.value * 4)
    note(faults, scenario, fmt::format("node \"{}\" bonds {} ports", node.name, box.nic_ports));
  if (box.ram_bytes > box.host->ram_max.value && box.host->ram_max.value.value() > 0) {
    note(faults, scenario,
         fmt::format("node \"{}\": {} takes {:.0f} GiB of RAM at most", node.name, box.host->name,
                     box.host->ram_max.value / kGiB));
  }
  return box;
}

void join(Machine& machine, const Scenario& scenario, const ProfileLibrary& library, Diagnostics& faults) {
  if (machine.boxes.size() < 2) return;
  const std::string& id = scenario.cluster.switch_id;
  machine.network_switch = id.empty() ? nullptr : find(library.switches, id);
  if (machine.network_switch == nullptr && machine.boxes.size() > 2) {
    note(faults, scenario, fmt::format("{} nodes need a switch", machine.boxes.size()), "name one in cluster.switch");
  }
  const Nic& first = *machine.boxes.front().nic;
  int plugs = 0;
  for (const Box& box : machine.boxes) {
    plugs += box.nic_ports;
    if (box.nic->port != first.port) {
      note(faults, scenario,
           fmt::format("plugs differ: {} has {}, {} has {}", first.name, first.port, box.nic->name, box.nic->port));
    }
  }
  if (machine.network_switch != nullptr && matching_ports(*machine.network_switch, first) < plugs) {
    note(faults, scenario,
         fmt::format("{} has {} ports for {} of {}", machine.network_switch->name,
                     matching_ports(*machine.network_switch, first), plugs, first.name));
  }
  for (const auto& [cable_id, cable] : library.cables) {
    if (cable.port == first.port && machine.cable == nullptr) machine.cable = &cable;
  }
  machine.cables = machine.network_switch == nullptr ? plugs / 2 : plugs;
}

}  // namespace

Result<Machine> build_machine(const Scenario& scenario, const ProfileLibrary& library) {
  Machine machine;
  Diagnostics faults;
  for (const NodeSettings& node : scenario.cluster.nodes) {
    machine.boxes.push_back(build_box(node, scenario, library, faults));
  }
  machine.rdma = scenario.cluster.rdma;
  join(machine, scenario, library, faults);
  if (!faults.empty()) return fail(std::move(faults));
  return machine;
}

}  // namespace oblea
