#include "study/group_links.hpp"

#include <algorithm>
#include <map>
#include <utility>

#include "base/check.hpp"
#include "hardware/bonded_port.hpp"

namespace oblea {
namespace {

using Lane = std::pair<int, int>;  // resource, lane

LinkClass link_class(RouteClass route_class) {
  switch (route_class) {
    case RouteClass::same_device:
    case RouteClass::nvlink:
      return LinkClass::nvlink;
    case RouteClass::pcie_peer:
      return LinkClass::pcie_peer;
    case RouteClass::pcie_through_host:
      return LinkClass::pcie_host_bounce;
    case RouteClass::ethernet_tcp:
      return LinkClass::tcp;
    case RouteClass::rdma:
    case RouteClass::wafer_link:
      return LinkClass::rdma;
  }
  return LinkClass::tcp;
}

// Of each flow, how many came before it between the same nodes.
std::vector<int> numbers_of(std::span<const Flow> flows) {
  std::map<std::pair<int, int>, int> between;
  std::vector<int> numbers;
  for (const Flow& flow : flows) numbers.push_back(between[{flow.from_node, flow.to_node}]++);
  return numbers;
}

// The step that the slowest of its flows makes: the class that costs most, the longest latency, the least share.
CollectiveLink slowest_of(std::span<const Flow> flows) {
  OBLEA_CHECK(!flows.empty(), "a step has a flow");
  const std::vector<BytesPerSecond> rates = equal_flow_rates(flows);
  CollectiveLink slowest;
  for (std::size_t i = 0; i < flows.size(); ++i) {
    const CollectiveLink link = make_collective_link(flows[i].route);
    if (i == 0) slowest = {link.kind, link.latency, rates[i], link.switch_latency};
    if (collective_software(link.kind) > collective_software(slowest.kind)) slowest.kind = link.kind;
    slowest.latency = std::max(slowest.latency, link.latency);
    slowest.goodput = std::min(slowest.goodput, rates[i]);
  }
  return slowest;
}

Flow make_flow(const Topology& topology, const DevicePlace& from, const DevicePlace& to) {
  auto route = topology.route(from, to);
  OBLEA_CHECK(route.has_value(), "the devices of a group reach each other");
  return {std::move(*route), from.node, to.node};
}

}  // namespace

std::vector<BytesPerSecond> equal_flow_rates(std::span<const Flow> flows) {
  const std::vector<int> numbers = numbers_of(flows);
  const auto lane = [&](std::size_t i, const Crossing& crossing) {
    const Flow& flow = flows[i];
    return Lane{crossing.resource, bonded_port(flow.from_node, flow.to_node, crossing.lanes, numbers[i])};
  };
  std::map<Lane, int> sharing;
  for (std::size_t i = 0; i < flows.size(); ++i) {
    for (const Crossing& crossing : flows[i].route.crossings) ++sharing[lane(i, crossing)];
  }
  std::vector<BytesPerSecond> rates;
  for (std::size_t i = 0; i < flows.size(); ++i) {
    BytesPerSecond least = flows[i].route.goodput;
    for (const Crossing& crossing : flows[i].route.crossings) {
      const double flows_here = sharing.at(lane(i, crossing));
      least = std::min(least, crossing.goodput * (flows[i].route.share / flows_here));
    }
    rates.push_back(least);
  }
  return rates;
}

CollectiveGroup make_group_links(const Topology& topology, std::span<const DevicePlace> ranks, Bytes port_buffer) {
  const std::size_t count = ranks.size();
  OBLEA_CHECK(count >= 2, "a group has two ranks or more");
  CollectiveGroup group;
  group.ranks = static_cast<int>(count);
  std::vector<Flow> flows;
  for (std::size_t i = 0; i < count; ++i) flows.push_back(make_flow(topology, ranks[i], ranks[(i + 1) % count]));
  group.ring = slowest_of(flows);
  for (std::size_t apart = 1; 2 * apart <= count; apart *= 2) {
    flows.clear();
    for (std::size_t i = 0; i < count; ++i) {
      if ((i ^ apart) < count) flows.push_back(make_flow(topology, ranks[i], ranks[i ^ apart]));
    }
    group.exchange.push_back(slowest_of(flows));
  }
  flows.clear();
  for (std::size_t i = 1; i < count; ++i) flows.push_back(make_flow(topology, ranks[0], ranks[i]));
  group.star_out = slowest_of(flows);
  flows.clear();
  for (std::size_t i = 1; i < count; ++i) flows.push_back(make_flow(topology, ranks[i], ranks[0]));
  group.star_in = slowest_of(flows);
  group.port_buffer = port_buffer;
  return group;
}

CollectiveLink make_collective_link(const Route& route) {
  return make_collective_link(link_class(route.route_class), route.latency, route.goodput);
}

}  // namespace oblea
