#include "study/compatibility.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/core.h>

namespace oblea {

PcieSlot negotiated_link(const Device& card, const PcieSlot& slot) {
  PcieSlot link = slot;
  link.generation = std::min(slot.generation, static_cast<int>(value_or(card.pcie_generation, 4.0)));
  link.lanes = std::min(slot.lanes, static_cast<int>(value_or(card.pcie_lanes, 16.0)));
  return link;
}

std::string seat_cards(const Host& host, const std::vector<const Device*>& cards, const Nic* added_nic,
                       std::vector<PcieSlot>& links) {
  links.clear();
  const std::vector<PcieSlot>& slots = host.slots.value;
  const std::size_t for_nic = added_nic != nullptr && added_nic->pcie_lanes ? 1 : 0;
  if (cards.size() + for_nic > slots.size()) {
    return fmt::format("{} slots for {} cards{}", slots.size(), cards.size(), for_nic > 0 ? " and a NIC" : "");
  }
  if (static_cast<double>(cards.size()) > host.gpu_max.value) {
    return fmt::format("room for {:.0f} cards, not {}", host.gpu_max.value, cards.size());
  }
  for (std::size_t i = 0; i < cards.size(); ++i) {
    const double width = value_or(cards[i]->slot_width, 2.0);
    if (!host.risers && width > slots[i].width) {
      return fmt::format("{} is {:g} slots wide, slot {} has room for {}", cards[i]->name, width, i + 1,
                         slots[i].width);
    }
    links.push_back(negotiated_link(*cards[i], slots[i]));
  }
  return "";
}

int kits_for(const Host& host, const Storage& kit, Bytes wanted) {
  if (kit.kind != StorageKind::ram || kit.ram_kind != host.ram_kind.value) return 0;
  const int kits = std::max(1, static_cast<int>(std::ceil(wanted / kit.capacity.value)));
  const double modules = value_or(kit.ram_modules, 2.0) * kits;
  const bool room = modules <= host.ram_slots.value && kit.capacity.value * kits <= host.ram_max.value;
  return room ? kits : 0;
}

int matching_ports(const Switch& network_switch, const Nic& nic) {
  int count = 0;
  for (const SwitchPorts& ports : network_switch.ports.value) {
    if (ports.port == nic.port && ports.rate >= nic.line_rate.value) count += ports.count;
  }
  return count;
}

}  // namespace oblea
