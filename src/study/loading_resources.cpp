#include "study/loading_resources.hpp"

#include <algorithm>

#include <fmt/core.h>

#include "hardware/bonded_port.hpp"

namespace oblea {
namespace {

constexpr int kNasEnd = 0;  // of a flow; boxes count from 1

int box_end(int box) { return box + 1; }

std::string name_of(int box, const std::string& part) { return fmt::format("box {} {}", box + 1, part); }

// Others read as much at the same time.
BandedRate share_of(const BandedRate& rate, double readers) {
  return {rate.value / readers, rate.low / readers, rate.high / readers};
}

}  // namespace

LoadingResources::LoadingResources(LoadingPlan& plan, const Machine& machine, const ProfileLibrary& library,
                                   const Storage* nas, const Storage* disk, const StorageSettings& settings)
    : plan_(plan),
      machine_(machine),
      library_(library),
      nas_(nas),
      disk_(disk),
      mapped_(settings.mapped),
      nas_readers_(settings.nas_readers) {}

int LoadingResources::resource(const std::string& name, const BandedRate& rate, double latency_s) {
  const auto [at, is_new] = known_.try_emplace(name, static_cast<int>(plan_.rates.size()));
  if (is_new) {
    plan_.transfers.resources.push_back({name, rate.value.value(), latency_s});
    plan_.rates.push_back(rate);
  }
  return at->second;
}

int LoadingResources::reader(int box, const Storage& storage) {
  return resource(name_of(box, storage.kind == StorageKind::nas ? "page faults over the wire" : "page faults"),
                  mapped_rate(storage));
}

std::vector<int> LoadingResources::from_disk(int box) {
  std::vector<int> path = {resource(name_of(box, "disk"), read_rate(*disk_))};
  if (mapped_) path.push_back(reader(box, *disk_));
  return path;
}

int LoadingResources::port_in(int box, int from) {
  const Box& end = box_at(box);
  const int port = bonded_port(from, box_end(box), end.nic_ports);
  return resource(name_of(box, fmt::format("port {} in", port + 1)), wire_rate(*end.nic, machine_.network_switch));
}

std::vector<int> LoadingResources::from_nas(int box) {
  std::vector<int> path = {resource("NAS disks", share_of(read_rate(*nas_), nas_readers_))};
  if (const Nic* nic = find(library_.nics, nas_->nic)) {
    const int ports = static_cast<int>(value_or(nas_->nic_ports, 1.0));
    const int port = bonded_port(kNasEnd, box_end(box), ports);
    path.push_back(resource(fmt::format("NAS port {}", port + 1),
                            share_of(wire_rate(*nic, machine_.network_switch), nas_readers_)));
  }
  path.push_back(port_in(box, kNasEnd));
  if (mapped_) path.push_back(reader(box, *nas_));
  return path;
}

int LoadingResources::memory(int box) { return resource(name_of(box, "memory"), ram_copy_rate(box_at(box).ram)); }

int LoadingResources::hash(int box) { return resource(name_of(box, "hashing"), hash_rate()); }

std::vector<int> LoadingResources::wire(int from, int to) {
  const Box& sender = box_at(from);
  const int port = bonded_port(box_end(from), box_end(to), sender.nic_ports);
  const double latency_s = sender.nic->tcp_latency.value.value();
  return {resource(name_of(from, fmt::format("port {} out", port + 1)), wire_rate(*sender.nic, machine_.network_switch),
                   latency_s),
          port_in(to, box_end(from))};
}

std::vector<int> LoadingResources::slot(int box, int card) {
  const Box& seats = box_at(box);
  const auto at = static_cast<std::size_t>(card);
  if (at >= seats.slots.size() || seats.slots[at].lanes == 0) return {};
  const PcieSlot& link = seats.slots[at];
  const PcieLink* figure = find_pcie(library_, link.generation, link.lanes);
  if (figure == nullptr) return {};
  std::vector<int> path;
  const PcieLink* uplink = find_pcie(library_, 3, 4);
  if (link.lanes == 1 && uplink != nullptr)
    path.push_back(resource(name_of(box, "chip set uplink"), slot_rate(*uplink)));
  path.push_back(resource(name_of(box, fmt::format("slot of card {}", card + 1)), slot_rate(*figure)));
  return path;
}

}  // namespace oblea
