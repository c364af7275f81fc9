#include "study/match_machine.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/core.h>

#include "study/compatibility.hpp"
#include "study/found_node.hpp"
#include "study/match_host.hpp"
#include "study/part_name.hpp"

namespace oblea {
namespace {

// Indices of the GPUs that go into the node, widest link first: profiles name their slots in that order.
std::vector<std::size_t> cards_in_slot_order(const FoundMachine& found, const std::vector<PartMatch>& matches,
                                             const ProfileLibrary& library) {
  std::vector<std::size_t> order;
  for (std::size_t i = 0; i < matches.size(); ++i) {
    const Device* device = find(library.devices, matches[i].id);
    if (device != nullptr && device->kind == DeviceKind::gpu) order.push_back(i);
  }
  const auto width = [&](std::size_t i) {
    const PcieSlot link = working_link(found.gpus[i].link);
    return std::ldexp(link.lanes, link.generation);
  };
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return width(a) > width(b); });
  return order;
}

void match_gpus(const FoundMachine& found, const ProfileLibrary& library, MatchedMachine& matched) {
  for (const FoundGpu& gpu : found.gpus) {
    PartMatch match = match_gpu(gpu, library);
    // The accelerator of a box that is one comes with the host: "NVIDIA GB10", "Radeon 8060S".
    const std::set<std::string> name = read_part_name(gpu.name).words;
    for (const auto& [id, device] : library.devices) {
      const std::set<std::string> whole = words_of(device.name);
      if (device.kind != DeviceKind::soc || !match.id.empty() || name.empty()) continue;
      if (std::includes(whole.begin(), whole.end(), name.begin(), name.end()))
        match = {MatchKind::exact, match.found, id, "part of the host", ""};
    }
    if (gpu.mig)
      matched.notes.push_back(fmt::format("{} is cut into MIG instances; the node holds the whole card", match.found));
    matched.gpus.push_back(std::move(match));
  }
}

void note_surroundings(const FoundMachine& found, MatchedMachine& matched) {
  if (found.system.wsl)
    matched.notes.push_back(
        "inside WSL: board, slots and network are those of a virtual machine, and the RAM is the share that Windows "
        "gives it "
        "(half, unless .wslconfig says otherwise)");
  else if (found.system.virtual_machine)
    matched.notes.push_back(
        "inside a virtual machine: processor, RAM and disks are what it was given, not what is there");
  if (!found.system.container.empty())
    matched.notes.push_back(
        fmt::format("inside a container ({}): some of the machine may be hidden", found.system.container));
}

}  // namespace

MatchedMachine match_machine(const FoundMachine& found, const ProfileLibrary& library) {
  MatchedMachine matched;
  NodeSettings& node = matched.node;
  node.name = found.system.host_name.empty() ? "this-box" : found.system.host_name;
  note_surroundings(found, matched);
  matched.cpu = match_cpu(found.cpu, library);
  for (const FoundNic& nic : found.nics) {
    matched.nics.push_back(match_nic(nic, library));
    const PartMatch& match = matched.nics.back();
    if (match.kind == MatchKind::exact && !match.words.empty())
      matched.notes.push_back(fmt::format("{}: {}", match.found, match.words));
  }
  for (const FoundDisk& disk : found.disks) matched.disks.push_back(match_disk(disk, library));
  match_gpus(found, library, matched);
  const std::vector<std::size_t> order = cards_in_slot_order(found, matched.gpus, library);
  std::vector<const Device*> cards;
  for (const std::size_t i : order) {
    node.devices.push_back(matched.gpus[i].id);
    cards.push_back(find(library.devices, matched.gpus[i].id));
  }
  for (const PartMatch& match : matched.gpus) {
    if (match.id.empty()) matched.notes.push_back(fmt::format("{} is left out: {}", match.found, match.words));
    if (match.kind == MatchKind::nearest)
      matched.notes.push_back(fmt::format("{} is counted as {} ({})", match.found, match.id, match.words));
  }
  matched.host = match_host(found, cards, library);
  const Host* host = find(library.hosts, matched.host.id);
  if (host == nullptr) return matched;
  node.host = host->id;
  if (matched.host.kind == MatchKind::nearest)
    matched.notes.push_back(fmt::format("host: {} ({})", host->id, matched.host.words));
  std::vector<PcieSlot> slots;
  seat_cards(*host, cards, nullptr, slots);
  set_links(found, order, slots, matched);
  set_power_limit(found, order, matched);
  set_memory(found, *host, matched);
  set_nic(found, *host, cards, library, matched);
  return matched;
}

}  // namespace oblea
