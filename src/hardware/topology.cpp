#include "hardware/topology.hpp"

#include <algorithm>
#include <limits>
#include <map>

#include <boost/graph/adjacency_list.hpp>
#include <boost/graph/dijkstra_shortest_paths.hpp>
#include <boost/graph/filtered_graph.hpp>
#include <boost/property_map/function_property_map.hpp>
#include <boost/range/iterator_range.hpp>

#include "base/check.hpp"
#include "base/suggest.hpp"

namespace oblea {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

enum class VertexKind { device, wafer, root, nic, network_switch };

struct Vertex {
  std::string name;
  VertexKind kind = VertexKind::device;
  int node = -1;
  BytesPerSecond backplane{};  // of a switch; 0: every port at once
};

enum class EdgeKind { pcie, bridge, wafer_link, network };

// TCP and RDMA share the cable, so an edge carries both figures; they are equal where it makes no difference.
struct Edge {
  EdgeKind kind = EdgeKind::pcie;
  BytesPerSecond goodput[2]{};  // by Transport
  Seconds latency[2]{};
  int parallel = 1;  // equal links side by side; one flow uses one
  int number = 0;
  BytesPerSecond uplink{};  // shared by this and others of the node; 0: none
};

enum Transport { kTcp = 0, kRdma = 1 };

using BoostGraph = boost::adjacency_list<boost::vecS, boost::vecS, boost::undirectedS, Vertex, Edge>;
using VertexId = BoostGraph::vertex_descriptor;
using EdgeId = BoostGraph::edge_descriptor;

// A way so far: shorter latency is better, then a wider bottleneck, then fewer hops.
struct Way {
  double latency = kInfinity;
  double goodput = 0;
  int hops = 0;
};

struct BetterWay {
  bool operator()(const Way& a, const Way& b) const {
    if (a.latency != b.latency) return a.latency < b.latency;
    if (a.goodput != b.goodput) return a.goodput > b.goodput;
    return a.hops < b.hops;
  }
};

struct ExtendWay {
  Way operator()(const Way& way, const Way& edge) const {
    return {way.latency + edge.latency, std::min(way.goodput, edge.goodput), way.hops + edge.hops};
  }
};

// GPUs do not pass data on: only those at the ends take part.
struct MayPass {
  const BoostGraph* graph = nullptr;
  VertexId from = 0;
  VertexId to = 0;
  bool operator()(VertexId v) const { return v == from || v == to || (*graph)[v].kind != VertexKind::device; }
};

}  // namespace

struct Topology::Graph {
  BoostGraph graph;
  std::vector<std::vector<VertexId>> devices;  // by node and device
  std::vector<VertexId> roots;
  std::vector<bool> uses_rdma;
  std::vector<bool> peer_to_peer;
  std::vector<std::string> node_names;
};

namespace {

// Builds the graph and collects every fault on the way.
class Builder {
 public:
  Builder(const Cluster& cluster, const ProfileLibrary& library) : cluster_(cluster), library_(library) {}

  void build() {
    for (const ClusterNode& node : cluster_.nodes) add_node(node);
    for (const ClusterSwitch& one : cluster_.switches) add_switch(one);
    for (const ClusterLink& link : cluster_.links) add_link(link);
  }

  Diagnostics faults;
  Topology::Graph out;

 private:
  void fault(std::string message, std::string hint = {}) {
    faults.push_back({Severity::error, {}, std::move(message), std::move(hint)});
  }

  template <class T>
  const T* profile(const std::map<std::string, T>& profiles, const std::string& id, const std::string& where) {
    const T* found = find(profiles, id);
    if (found == nullptr) fault(where + ": no profile \"" + id + "\"", suggest(id, ids_of(profiles)));
    return found;
  }

  VertexId add_vertex(const Vertex& vertex) { return boost::add_vertex(vertex, out.graph); }

  void add_edge(VertexId a, VertexId b, EdgeKind kind, BytesPerSecond goodput, Seconds latency) {
    insert(a, b, Edge{kind, {goodput, goodput}, {latency, latency}});
  }

  void insert(VertexId a, VertexId b, Edge edge) {
    edge.number = static_cast<int>(boost::num_edges(out.graph));
    boost::add_edge(a, b, edge, out.graph);
  }

  void add_node(const ClusterNode& node) {
    const int number = static_cast<int>(out.roots.size());
    const VertexId root = add_vertex({node.name, VertexKind::root, number});
    out.roots.push_back(root);
    out.node_names.push_back(node.name);
    out.peer_to_peer.push_back(node.peer_to_peer);
    out.devices.emplace_back();
    for (std::size_t i = 0; i < node.devices.size(); ++i) add_device(node, number, static_cast<int>(i));
    for (const DeviceBridge& bridge : node.bridges) add_bridge(node, number, bridge);
    bool rdma = false;
    if (!node.nic.empty()) {
      if (const Nic* nic = profile(library_.nics, node.nic, node.name)) rdma = add_nic(node, number, *nic);
    }
    out.uses_rdma.push_back(rdma);
  }

  void add_device(const ClusterNode& node, int number, int index) {
    const InstalledDevice& installed = node.devices[static_cast<std::size_t>(index)];
    const Device* device = profile(library_.devices, installed.id, node.name);
    const bool wafer = device != nullptr && device->kind == DeviceKind::wafer;
    const bool in_slot = device != nullptr && device->kind == DeviceKind::gpu;
    const VertexId vertex =
        add_vertex({node.name + "/" + std::to_string(index), wafer ? VertexKind::wafer : VertexKind::device, number});
    out.devices.back().push_back(vertex);
    if (device == nullptr) return;
    if (wafer) {  // out of the wafer is as far as to the next one
      add_edge(vertex, out.roots.back(), EdgeKind::pcie, value_or(device->io_bandwidth, device->memory_bandwidth.value),
               value_or(device->hop_latency, kPeerLatency));
      return;
    }
    if (!in_slot) {  // a CPU or a SoC is its own root complex: its memory, no slot in between
      add_edge(vertex, out.roots.back(), EdgeKind::pcie, device->memory_bandwidth.value, Seconds(0));
      return;
    }
    const PcieLink* link = find_pcie(library_, installed.pcie_generation, installed.pcie_lanes);
    if (link == nullptr) {
      fault(node.name + ": no figure for PCIe " + std::to_string(installed.pcie_generation) + ".0 x" +
            std::to_string(installed.pcie_lanes));
      return;
    }
    Edge edge{EdgeKind::pcie, {link->goodput.value, link->goodput.value}, {kPeerLatency / 2.0, kPeerLatency / 2.0}};
    if (installed.shared && node.uplink_lanes > 0) share_uplink(edge, node);
    insert(vertex, out.roots.back(), edge);
  }

  void share_uplink(Edge& edge, const ClusterNode& node) {
    const PcieLink* link = find_pcie(library_, node.uplink_generation, node.uplink_lanes);
    if (link == nullptr) {
      return fault(node.name + ": no figure for an uplink of PCIe " + std::to_string(node.uplink_generation) + ".0 x" +
                   std::to_string(node.uplink_lanes));
    }
    edge.uplink = link->goodput.value;
    for (BytesPerSecond& goodput : edge.goodput) goodput = std::min(goodput, edge.uplink);
  }

  void add_bridge(const ClusterNode& node, int number, const DeviceBridge& bridge) {
    const std::vector<VertexId>& devices = out.devices[static_cast<std::size_t>(number)];
    const auto exists = [&](int i) { return i >= 0 && i < static_cast<int>(devices.size()); };
    if (!exists(bridge.first) || !exists(bridge.second) || bridge.first == bridge.second) {
      fault(node.name + ": a bridge joins two of the node's devices");
      return;
    }
    if (const Interconnect* link = profile(library_.interconnects, bridge.interconnect, node.name)) {
      const bool wafer = out.graph[devices[bridge.first]].kind == VertexKind::wafer;
      add_edge(devices[bridge.first], devices[bridge.second], wafer ? EdgeKind::wafer_link : EdgeKind::bridge,
               link->goodput.value, link->latency.value);
    }
  }

  // Host to NIC: half of the NIC's one-way latency. True when the node speaks RDMA.
  bool add_nic(const ClusterNode& node, int number, const Nic& nic) {
    if (node.bonded_ports < 1 || node.bonded_ports > nic.ports.value) {
      fault(node.name + ": " + std::to_string(node.bonded_ports) + " bonded ports on " + nic.name);
    }
    const VertexId vertex = add_vertex({node.name + " nic", VertexKind::nic, number});
    const bool rdma = node.uses_rdma && nic.rdma_goodput && nic.rdma_latency;
    Edge edge{EdgeKind::network, {}, {}, node.bonded_ports};
    edge.goodput[kTcp] = nic.goodput.value;
    edge.latency[kTcp] = nic.tcp_latency.value / 2.0;
    edge.goodput[kRdma] = rdma ? nic.rdma_goodput->value : nic.goodput.value;
    edge.latency[kRdma] = (rdma ? nic.rdma_latency->value : nic.tcp_latency.value) / 2.0;
    insert(out.roots.back(), vertex, edge);
    ends_[node.name] = {vertex, edge.goodput[kTcp], edge.goodput[kRdma], Seconds(0), node.bonded_ports, number};
    return rdma;
  }

  void add_switch(const ClusterSwitch& one) {
    const Switch* found = profile(library_.switches, one.id, one.name);
    if (found == nullptr) return;
    const VertexId vertex =
        add_vertex({one.name, VertexKind::network_switch, -1, value_or(found->backplane, BytesPerSecond(0))});
    BytesPerSecond fastest{};
    for (const SwitchPorts& ports : found->ports.value) fastest = std::max(fastest, ports.rate);
    ends_[one.name] = {vertex, fastest, fastest, found->latency.value / 2.0, std::numeric_limits<int>::max(), -1};
  }

  // Where a cable ends. Half of a switch's latency lies on each of its cables.
  struct End {
    VertexId vertex = 0;
    BytesPerSecond tcp{};
    BytesPerSecond rdma{};
    Seconds latency{};
    int parallel = 1;
    int node = -1;
  };

  int node_number(const std::string& name) const {
    const auto found = std::find(out.node_names.begin(), out.node_names.end(), name);
    return found == out.node_names.end() ? -1 : static_cast<int>(found - out.node_names.begin());
  }

  void add_link(const ClusterLink& link) {
    if (!link.interconnect.empty()) return add_wafer_link(link);
    const End* from = find_end(link.from);
    const End* to = find_end(link.to);
    if (from == nullptr || to == nullptr) return;
    Edge edge{EdgeKind::network, {}, {}, std::min(from->parallel, to->parallel)};
    if (edge.parallel == std::numeric_limits<int>::max()) edge.parallel = 1;
    edge.goodput[kTcp] = std::min(from->tcp, to->tcp);
    edge.goodput[kRdma] = std::min(from->rdma, to->rdma);
    edge.latency[kTcp] = edge.latency[kRdma] = from->latency + to->latency;
    insert(from->vertex, to->vertex, edge);
  }

  const End* find_end(const std::string& name) {
    const auto found = ends_.find(name);
    if (found != ends_.end()) return &found->second;
    if (node_number(name) >= 0) {
      fault("link to \"" + name + "\": the node has no NIC");
    } else {
      std::vector<std::string> names;
      for (const auto& [known, end] : ends_) names.push_back(known);
      fault("link to \"" + name + "\": no such node or switch", suggest(name, names));
    }
    return nullptr;
  }

  void add_wafer_link(const ClusterLink& link) {
    const Interconnect* found = profile(library_.interconnects, link.interconnect, link.from + " - " + link.to);
    const int from = node_number(link.from);
    const int to = node_number(link.to);
    for (const auto& [number, name] : {std::pair{from, link.from}, std::pair{to, link.to}}) {
      if (number < 0) fault("link to \"" + name + "\": no such node", suggest(name, out.node_names));
      if (number >= 0 && out.devices[number].empty()) fault("link to \"" + name + "\": the node has no device");
    }
    if (found == nullptr || from < 0 || to < 0 || out.devices[from].empty() || out.devices[to].empty()) return;
    add_edge(out.devices[from][0], out.devices[to][0], EdgeKind::wafer_link, found->goodput.value,
             found->latency.value);
  }

  const Cluster& cluster_;
  const ProfileLibrary& library_;
  std::map<std::string, End> ends_;
};

RouteClass classify(const std::vector<Edge>& edges, Transport transport, bool peer_to_peer) {
  const auto any = [&](EdgeKind kind) {
    return std::any_of(edges.begin(), edges.end(), [&](const Edge& edge) { return edge.kind == kind; });
  };
  if (edges.empty()) return RouteClass::same_device;
  if (any(EdgeKind::network)) return transport == kRdma ? RouteClass::rdma : RouteClass::ethernet_tcp;
  if (any(EdgeKind::wafer_link)) return RouteClass::wafer_link;
  if (any(EdgeKind::bridge)) return RouteClass::nvlink;
  return peer_to_peer ? RouteClass::pcie_peer : RouteClass::pcie_through_host;
}

// Numbers: edges twice, once a direction; then switches by vertex; then uplinks, twice a node.
void add_crossings(Route& route, const Topology::Graph& g, const Edge& edge, VertexId from, VertexId to,
                   Transport transport) {
  const int edges = 2 * static_cast<int>(boost::num_edges(g.graph));
  const Vertex& end = g.graph[to];
  if (end.backplane.value() > 0) route.crossings.push_back({edges + static_cast<int>(to), end.backplane, 1});
  const int direction = from < to ? 0 : 1;
  route.crossings.push_back({2 * edge.number + direction, edge.goodput[transport], edge.parallel});
  if (edge.uplink.value() > 0) {
    const int first = edges + static_cast<int>(boost::num_vertices(g.graph));
    const int upwards = end.kind == VertexKind::root ? 0 : 1;
    route.crossings.push_back({first + 2 * end.node + upwards, edge.uplink, 1});
  }
}

Unreachable no_route(const Topology::Graph& g, DevicePlace from, DevicePlace to) {
  const std::string& a = g.graph[g.devices[from.node][from.device]].name;
  const std::string& b = g.graph[g.devices[to.node][to.device]].name;
  return {a, b, "no link leads from " + g.node_names[from.node] + " to " + g.node_names[to.node]};
}

}  // namespace

std::string_view route_class_name(RouteClass route_class) {
  switch (route_class) {
    case RouteClass::same_device:
      return "same device";
    case RouteClass::nvlink:
      return "NVLink";
    case RouteClass::pcie_peer:
      return "PCIe peer to peer";
    case RouteClass::pcie_through_host:
      return "PCIe through host memory";
    case RouteClass::ethernet_tcp:
      return "Ethernet, TCP";
    case RouteClass::rdma:
      return "RDMA";
    case RouteClass::wafer_link:
      return "wafer link";
  }
  return "";
}

Result<Topology> Topology::make(const Cluster& cluster, const ProfileLibrary& library) {
  Builder builder(cluster, library);
  builder.build();
  if (!builder.faults.empty()) return fail(std::move(builder.faults));
  return Topology(std::make_shared<const Graph>(std::move(builder.out)));
}

tl::expected<Route, Unreachable> Topology::route(DevicePlace from, DevicePlace to) const {
  const Graph& g = *graph_;
  const auto exists = [&](DevicePlace place) {
    return place.node >= 0 && place.node < static_cast<int>(g.devices.size()) && place.device >= 0 &&
           place.device < static_cast<int>(g.devices[place.node].size());
  };
  OBLEA_CHECK(exists(from) && exists(to), "a route is between devices of the cluster");
  const VertexId source = g.devices[from.node][from.device];
  const VertexId target = g.devices[to.node][to.device];
  const Transport transport = g.uses_rdma[from.node] && g.uses_rdma[to.node] ? kRdma : kTcp;

  const boost::filtered_graph<BoostGraph, boost::keep_all, MayPass> passable(g.graph, {}, {&g.graph, source, target});
  std::vector<VertexId> before(boost::num_vertices(g.graph));
  std::vector<Way> ways(boost::num_vertices(g.graph));
  const auto weight = boost::make_function_property_map<EdgeId>([&](const EdgeId& e) {
    const Edge& edge = g.graph[e];
    return Way{edge.latency[transport].value(), edge.goodput[transport].value(), 1};
  });
  boost::dijkstra_shortest_paths(
      passable, source,
      boost::predecessor_map(boost::make_iterator_property_map(before.begin(), get(boost::vertex_index, g.graph)))
          .distance_map(boost::make_iterator_property_map(ways.begin(), get(boost::vertex_index, g.graph)))
          .weight_map(weight)
          .distance_compare(BetterWay())
          .distance_combine(ExtendWay())
          .distance_inf(Way{kInfinity, 0, 0})
          .distance_zero(Way{0, kInfinity, 0}));
  if (ways[target].latency == kInfinity) return tl::unexpected(no_route(g, from, to));

  Route route;
  std::vector<Edge> edges;
  double narrowest = kInfinity;
  double widest_for_many = kInfinity;
  for (VertexId v = target; v != source; v = before[v]) {
    route.vertices.push_back(g.graph[v].name);
    EdgeId best{};
    bool found = false;
    for (const auto& e : boost::make_iterator_range(boost::out_edges(before[v], g.graph))) {
      if (boost::target(e, g.graph) != v) continue;
      if (!found || BetterWay()(weight[e], weight[best])) best = e;
      found = true;
    }
    const Edge& edge = g.graph[best];
    edges.push_back(edge);
    const double goodput = edge.goodput[transport].value();
    if (goodput <= narrowest) {  // walking back, so that the first of equal ones is named
      narrowest = goodput;
      route.bottleneck = g.graph[before[v]].name + " - " + g.graph[v].name;
    }
    widest_for_many = std::min(widest_for_many, goodput * edge.parallel);
    add_crossings(route, g, edge, before[v], v, transport);
  }
  route.vertices.push_back(g.graph[source].name);
  std::reverse(route.vertices.begin(), route.vertices.end());
  std::reverse(route.crossings.begin(), route.crossings.end());
  route.hops = static_cast<int>(edges.size());
  route.route_class = classify(edges, transport, g.peer_to_peer[from.node]);
  route.latency = Seconds(ways[target].latency);
  if (edges.empty()) return route;
  if (route.route_class == RouteClass::pcie_through_host) {
    route.share = kThroughHostShare;
    route.latency += kThroughHostLatency - kPeerLatency;
  }
  route.goodput = BytesPerSecond(narrowest * route.share);
  route.goodput_all_flows = BytesPerSecond(widest_for_many * route.share);
  return route;
}

std::vector<std::string> Topology::unreachable_nodes() const {
  const Graph& g = *graph_;
  std::vector<std::string> names;
  if (g.devices.empty() || g.devices[0].empty()) return names;
  for (std::size_t node = 1; node < g.devices.size(); ++node) {
    if (g.devices[node].empty()) continue;
    if (!route({0, 0}, {static_cast<int>(node), 0})) names.push_back(g.node_names[node]);
  }
  return names;
}

}  // namespace oblea
