#include "study/size_frames.hpp"

#include <algorithm>

#include <fmt/core.h>

#include "study/compatibility.hpp"

namespace oblea {

std::vector<Frame> FrameMaker::make(const CardSet& set, std::string& why_not) {
  std::vector<Frame> frames = set.adds_to_owned         ? owned_frames(set, why_not)
                              : set.soc_host != nullptr ? soc_frames(set)
                                                        : board_frames(set, why_not);
  std::erase_if(frames, [&](Frame& frame) { return !find_links(frame); });
  if (!frames.empty()) why_not.clear();  // some board takes them, whatever the first ones lacked
  return frames;
}

// Routes depend on slots and network only; most frames share them with an earlier one.
bool FrameMaker::find_links(Frame& frame) {
  const Box& box = frame.machine.boxes.front();
  std::string key = fmt::format("{}|{}|{}|{}", box.devices.size(), box.nic->id, frame.machine.boxes.size(),
                                frame.machine.network_switch == nullptr ? "" : frame.machine.network_switch->id);
  for (const Device* device : box.devices) key += device->architecture + ";";
  for (const PcieSlot& slot : box.slots) key += fmt::format(",{}x{}", slot.generation, slot.lanes);
  const auto known = links_.find(key);
  if (known != links_.end()) {
    frame.links = known->second;
    return true;
  }
  const Result<MachineLinks> links = make_machine_links(frame.machine, library_);
  if (!links) return false;
  frame.links = links_.emplace(key, *links).first->second;
  return true;
}

Machine FrameMaker::machine_of(const CardSet& set, const Host& host) const {
  Machine machine;
  Box box;
  box.host = &host;
  box.devices.assign(static_cast<std::size_t>(set.per_box), set.device);
  box.nic = find(library_.nics, host.nic);
  box.ram_bytes = value_or(host.ram_included, Bytes(0));
  machine.boxes.assign(static_cast<std::size_t>(set.boxes), box);
  return machine;
}

// The box that is there, with the set's cards in its free slots.
std::vector<Frame> FrameMaker::owned_frames(const CardSet& set, std::string& why_not) const {
  Frame frame{*owned_, set.price, {}};
  Box& box = frame.machine.boxes.front();
  box.devices.insert(box.devices.end(), static_cast<std::size_t>(set.per_box), set.device);
  std::vector<const Device*> cards = box.devices;
  std::erase_if(cards, [](const Device* device) { return is_box_device(*device); });
  std::vector<PcieSlot> links;
  const bool added_nic = box.nic->id != box.host->nic;
  const std::string lacking = seat_cards(*box.host, cards, added_nic ? box.nic : nullptr, links);
  if (!lacking.empty()) {
    why_not = box.host->name + " has " + lacking;
    return {};
  }
  if (box.devices.empty()) {
    why_not = "no device in it";
    return {};
  }
  for (const Device* device : box.devices) {
    if (device->vendor == box.devices.front()->vendor) continue;
    why_not = fmt::format("{} and {} cards need one back end for both", box.devices.front()->vendor, device->vendor);
    return {};
  }
  box.slots.assign(box.devices.size() - cards.size(), PcieSlot{});
  box.slots.insert(box.slots.end(), links.begin(), links.end());
  return {frame};
}

std::vector<Frame> FrameMaker::soc_frames(const CardSet& set) const {
  std::vector<Frame> frames;
  Frame frame{machine_of(set, *set.soc_host), 0, {}};
  for (Box& box : frame.machine.boxes) box.slots.assign(1, PcieSlot{});
  const double each = price_of(library_, set.soc_host->id, scenario_.size.budget.currency, scenario_.size.allow_used);
  frame.price = each * set.boxes;
  add_joined(frames, frame, set);
  return frames;
}

std::vector<Frame> FrameMaker::board_frames(const CardSet& set, std::string& why_not) const {
  std::vector<Frame> frames;
  for (const PricedHost& host : parts_.hosts) {
    Frame frame{machine_of(set, *host.host), set.price + host.price * set.boxes, {}};
    const std::string lacking =
        seat_cards(*host.host, frame.machine.boxes.front().devices, nullptr, frame.machine.boxes.front().slots);
    if (!lacking.empty()) {
      if (frames.empty()) why_not = "no board: " + host.host->name + " has " + lacking;
      continue;
    }
    const std::vector<PcieSlot>& slots = frame.machine.boxes.front().slots;
    const auto narrow = [&](const PcieSlot& slot) { return slot.lanes < scenario_.size.pcie_lanes_min; };
    if (std::any_of(slots.begin(), slots.end(), narrow)) {
      if (frames.empty()) why_not = fmt::format("no board gives every card x{}", scenario_.size.pcie_lanes_min);
      continue;
    }
    for (Box& box : frame.machine.boxes) box.slots = frame.machine.boxes.front().slots;
    add_joined(frames, frame, set);
  }
  return frames;
}

// The frame once a way of joining its boxes; a single box as it is.
void FrameMaker::add_joined(std::vector<Frame>& frames, const Frame& frame, const CardSet& set) const {
  if (set.boxes == 1) {
    if (frame.price <= scenario_.size.budget.amount) frames.push_back(frame);
    return;
  }
  for (const NetworkOption& network : parts_.networks) {
    const Host& host = *frame.machine.boxes.front().host;
    if (network.boxes != set.boxes || frame.price + network.price > scenario_.size.budget.amount) continue;
    Frame joined = frame;
    if (network.nic == nullptr) {
      if (find(library_.nics, host.nic)->port != network.port) continue;
    } else {
      std::vector<PcieSlot> slots;
      if (set.soc_host != nullptr || !seat_cards(host, frame.machine.boxes.front().devices, network.nic, slots).empty())
        continue;
      for (Box& box : joined.machine.boxes) box.nic = network.nic;
    }
    joined.machine.network_switch = network.network_switch;
    joined.machine.cable = network.cable;
    joined.machine.cables = network.network_switch == nullptr ? 1 : set.boxes;
    joined.machine.rdma = scenario_.engine.kind == Engine::vllm;
    joined.price += network.price;
    frames.push_back(std::move(joined));
  }
}

bool FrameMaker::add_ram(Frame& frame, const PricedKit& ram, Bytes wanted) {
  const Host& host = *frame.machine.boxes.front().host;
  const int kits = kits_for(host, *ram.kit, wanted);
  if (kits == 0) return false;
  for (Box& box : frame.machine.boxes) {
    box.ram = ram.kit;
    box.ram_kits = kits;
    box.ram_bytes = ram.kit->capacity.value * kits;
  }
  frame.price += ram.price * kits * static_cast<double>(frame.machine.boxes.size());
  return true;
}

bool FrameMaker::has_ram(const Frame& frame) {
  const Box& first = frame.machine.boxes.front();
  return first.owned || first.ram_bytes >= kRamMin;
}

}  // namespace oblea
