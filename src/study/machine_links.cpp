#include "study/machine_links.hpp"

#include <algorithm>

#include <fmt/core.h>

#include "study/group_links.hpp"

namespace oblea {
namespace {

constexpr PcieSlot kSocketed{5, 16, 0};  // a SoC or wafer sits on its board: nothing narrower than this lies between

std::string node_name(std::size_t index) { return fmt::format("box {}", index + 1); }

// Fabric that comes with the card; empty where there is none.
std::string built_in_fabric(const Device& device) {
  if (value_or(device.nvlink, BytesPerSecond(0)).value() <= 0) return "";
  if (device.architecture == "ampere-dc") return "nvlink-a100";
  if (device.architecture == "hopper") return "nvlink-h100";
  if (device.architecture == "blackwell-dc") return "nvlink-b200";
  if (device.architecture == "volta") return "nvlink-v100";
  return "";
}

ClusterNode make_node(const Box& box, std::size_t index, bool rdma) {
  ClusterNode node;
  node.name = node_name(index);
  node.host = box.host->id;
  for (std::size_t i = 0; i < box.devices.size(); ++i) {
    const bool in_slot = i < box.slots.size() && box.slots[i].lanes > 0;
    const PcieSlot& slot = in_slot ? box.slots[i] : kSocketed;
    node.devices.push_back({box.devices[i]->id, static_cast<int>(i), slot.generation, slot.lanes, slot.shared});
    const std::string fabric = built_in_fabric(*box.devices[i]);
    for (std::size_t j = 0; !fabric.empty() && j < i; ++j) {
      if (box.devices[j] == box.devices[i]) node.bridges.push_back({static_cast<int>(j), static_cast<int>(i), fabric});
    }
  }
  if (box.devices.empty()) node.devices.push_back({box.host->cpu, 0, kSocketed.generation, kSocketed.lanes, false});
  if (box.host->uplink) {
    node.uplink_generation = box.host->uplink->value.generation;
    node.uplink_lanes = box.host->uplink->value.lanes;
  }
  node.nic = box.nic == nullptr ? "" : box.nic->id;
  node.bonded_ports = box.nic_ports;
  node.uses_rdma = rdma;
  return node;
}

void take_narrower(CollectiveLink& link, const Route& route) {
  if (link.goodput.value() > 0 && link.goodput <= route.goodput) return;
  link = make_collective_link(route);
}

}  // namespace

Cluster make_cluster(const Machine& machine) {
  Cluster cluster;
  for (std::size_t i = 0; i < machine.boxes.size(); ++i)
    cluster.nodes.push_back(make_node(machine.boxes[i], i, machine.rdma));
  if (machine.boxes.size() < 2) return cluster;
  if (machine.network_switch != nullptr) cluster.switches.push_back({"switch", machine.network_switch->id});
  for (std::size_t i = 0; i < machine.boxes.size(); ++i) {
    if (machine.network_switch != nullptr)
      cluster.links.push_back({node_name(i), "switch", ""});
    else if (i > 0)
      cluster.links.push_back({node_name(0), node_name(i), ""});
  }
  return cluster;
}

Result<MachineLinks> make_machine_links(const Machine& machine, const ProfileLibrary& library) {
  const Result<Topology> topology = Topology::make(make_cluster(machine), library);
  if (!topology) return fail(topology.error());
  MachineLinks links;
  links.topology = *topology;
  if (machine.network_switch != nullptr) links.port_buffer = value_or(machine.network_switch->port_buffer, Bytes(0));
  const auto add_route = [&](CollectiveLink& link, DevicePlace from, DevicePlace to) {
    const auto route = topology->route(from, to);
    if (route) take_narrower(link, *route);
    if (route && from.node != to.node) {
      BytesPerSecond& all = links.between_all_flows;
      all = all.value() > 0 ? std::min(all, route->goodput_all_flows) : route->goodput_all_flows;
    }
    return route ? std::string() : route.error().message;
  };
  std::string unreachable;
  for (int box = 0; box < static_cast<int>(machine.boxes.size()); ++box) {
    const auto cards = std::max(1, static_cast<int>(machine.boxes[static_cast<std::size_t>(box)].devices.size()));
    for (int card = 1; card < cards && unreachable.empty(); ++card)
      unreachable = add_route(links.inside, {box, 0}, {box, card});
    if (box > 0 && unreachable.empty()) unreachable = add_route(links.between, {0, 0}, {box, 0});
  }
  if (!unreachable.empty()) return fail(unreachable);
  return links;
}

}  // namespace oblea
