#include "study/found_node.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/core.h>

#include "study/compatibility.hpp"

namespace oblea {

Bytes installed_memory(Bytes total) {
  const double gib = total / kGiB;
  if (gib <= 0) return Bytes(0);
  const double step = std::exp2(std::ceil(std::log2(gib))) / 16;
  return kGiB * (std::ceil(gib / step) * step);
}

PcieSlot working_link(const FoundLink& link) {
  PcieSlot slot;
  slot.lanes = link.lanes_now > 0 ? link.lanes_now : link.lanes_max;
  slot.generation = link.generation_max > 0 ? link.generation_max : link.generation_now;
  return slot;
}

void set_links(const FoundMachine& found, const std::vector<std::size_t>& order, const std::vector<PcieSlot>& slots,
               MatchedMachine& matched) {
  NodeSettings& node = matched.node;
  bool at_rest = false, differ = false, wider = false;
  int lanes = 0, generation = 0;
  for (std::size_t i = 0; i < order.size() && i < slots.size(); ++i) {
    const FoundLink& seen = found.gpus[order[i]].link;
    const PcieSlot link = working_link(seen);
    at_rest = at_rest || (seen.generation_now > 0 && seen.generation_now < link.generation);
    wider = wider || link.lanes > slots[i].lanes || link.generation > slots[i].generation;
    if (link.lanes > 0 && link.lanes < slots[i].lanes) lanes = lanes == 0 ? link.lanes : std::min(lanes, link.lanes);
    if (link.generation > 0 && link.generation < slots[i].generation)
      generation = generation == 0 ? link.generation : std::min(generation, link.generation);
  }
  for (std::size_t i = 0; i < order.size() && i < slots.size(); ++i) {
    const PcieSlot link = working_link(found.gpus[order[i]].link);
    differ = differ || (lanes > 0 && std::min(link.lanes, slots[i].lanes) > lanes) ||
             (generation > 0 && std::min(link.generation, slots[i].generation) > generation);
  }
  node.pcie_lanes = lanes;
  node.pcie_generation = generation;
  if (at_rest)
    matched.notes.push_back("PCIe generation: the most that card and slot can do; cards at rest show a lower one");
  if (differ)
    matched.notes.push_back("the links differ; a node has one figure for all of its cards, and this is the narrowest");
  if (wider) matched.notes.push_back("some card's link is wider than the slot of the host profile, which counts");
}

void set_power_limit(const FoundMachine& found, const std::vector<std::size_t>& order, MatchedMachine& matched) {
  std::optional<Watts> highest;
  bool every_one = !order.empty(), equal = true;
  for (const std::size_t i : order) {
    const FoundGpu& gpu = found.gpus[i];
    every_one = every_one && gpu.power_limit && gpu.power_limit_default &&
                *gpu.power_limit < *gpu.power_limit_default - Watts(0.5);
    if (!gpu.power_limit) continue;
    equal = equal && (!highest || *highest == *gpu.power_limit);
    highest = highest ? std::max(*highest, *gpu.power_limit) : *gpu.power_limit;
  }
  if (every_one) {
    matched.node.power_limit = highest;
    if (!equal) matched.notes.push_back("the power limits differ; a node has one for all, and this is the highest");
    return;
  }
  const bool some = std::any_of(order.begin(), order.end(), [&](std::size_t i) {
    const FoundGpu& gpu = found.gpus[i];
    return gpu.power_limit && gpu.power_limit_default && *gpu.power_limit < *gpu.power_limit_default - Watts(0.5);
  });
  if (some) matched.notes.push_back("only some cards have a lowered power limit; the node has none");
}

void set_memory(const FoundMachine& found, const Host& host, MatchedMachine& matched) {
  const FoundMemory& memory = found.memory;
  if (memory.total.value() <= 0 || host.soc) return;  // a box with one memory: its profile says how much
  Bytes ram = installed_memory(std::max(memory.total, memory.installed));
  const auto& limit = found.system.memory_limit;
  if (limit && *limit < ram) {
    ram = *limit;
    matched.notes.push_back(fmt::format("RAM: the {:.4g} GiB that this control group may use", *limit / kGiB));
  }
  if (ram > host.ram_max.value) {
    matched.notes.push_back(
        fmt::format("RAM: {:g} GiB found; the host profile takes {:g} GiB at most, which is written", ram / kGiB,
                    host.ram_max.value / kGiB));
    ram = host.ram_max.value;
  } else if (ram > memory.total) {
    matched.notes.push_back(
        fmt::format("RAM: {:g} GiB plugged in, for the kernel hands out {:.4g}", ram / kGiB, memory.total / kGiB));
  }
  matched.node.ram = ram;
  const std::string& kind = memory.kind;
  if (!kind.empty() && !host.ram_kind.value.starts_with(kind))
    matched.notes.push_back(
        fmt::format("the RAM is {}, that of the host profile {}: layers in RAM run at the profile's speed", kind,
                    host.ram_kind.value));
}

void set_nic(const FoundMachine& found, const Host& host, const std::vector<const Device*>& cards,
             const ProfileLibrary& library, MatchedMachine& matched) {
  const FoundNic* best = nullptr;
  const PartMatch* match = nullptr;
  for (std::size_t i = 0; i < found.nics.size(); ++i) {
    const FoundNic& nic = found.nics[i];
    if (matched.nics[i].id.empty()) continue;
    if (best == nullptr || std::pair(nic.up, nic.gigabits) > std::pair(best->up, best->gigabits)) {
      best = &nic;
      match = &matched.nics[i];
    }
  }
  if (best == nullptr) {
    matched.notes.push_back(fmt::format("no network port could be matched; the host profile's {} counts", host.nic));
    return;
  }
  matched.node.nic_ports = std::clamp(best->bonded, 1, 16);
  if (match->id == host.nic) return;
  std::vector<PcieSlot> links;
  const std::string why_not = seat_cards(host, cards, find(library.nics, match->id), links);
  if (why_not.empty() || cards.empty()) {
    matched.node.nic = match->id;
  } else {
    matched.node.nic_ports = 1;
    matched.notes.push_back(
        fmt::format("{} is left out: beside the cards the host profile has no slot for it ({})", match->id, why_not));
  }
}

}  // namespace oblea
