// Topology: the cluster as a graph, and the way that data takes from one device to another.
//
// Vertices: devices, root complexes (one a host), NICs, switches. An edge has a goodput in one direction and a latency;
// a route's latency is the sum over its edges, its bandwidth that of its narrowest edge. What flows share, they find in
// `crossings`: each direction of an edge is on its own (full duplex). Limits: no second socket, one NIC a node.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include <tl/expected.hpp>

#include "base/result.hpp"
#include "hardware/cluster.hpp"
#include "hardware/library.hpp"
#include "units/quantity.hpp"

namespace oblea {

// A device by its node and its place in the node's list.
struct DevicePlace {
  int node = 0;
  int device = 0;
  friend bool operator==(const DevicePlace&, const DevicePlace&) = default;
};

enum class RouteClass { same_device, nvlink, pcie_peer, pcie_through_host, ethernet_tcp, rdma, wafer_link };

std::string_view route_class_name(RouteClass route_class);

// One direction of an edge, or the inside of a switch: what several flows may share.
struct Crossing {
  int resource = 0;          // the same number wherever the same thing is crossed
  BytesPerSecond goodput{};  // of one lane
  int lanes = 1;             // bonded ports: a flow takes one
};

struct Route {
  RouteClass route_class = RouteClass::same_device;
  int hops = 0;                        // edges
  std::vector<std::string> vertices;   // "left/0", "left", "left nic", "switch", ...
  std::string bottleneck;              // the narrowest edge: "left nic - switch"
  BytesPerSecond goodput{};            // of one flow; 0 for the same device (nothing moves)
  BytesPerSecond goodput_all_flows{};  // of many flows: bonded ports add up
  Seconds latency{};                   // one way, small message
  std::vector<Crossing> crossings;     // on the way, in order
  double share = 1;                    // of the narrowest crossing that a flow gets: a half through host memory
};

struct Unreachable {
  std::string from;
  std::string to;
  std::string message;  // names the node that nothing reaches
};

// Device to its root complex through host memory or peer to peer. Peer: 10 us a small copy (NVIDIA aiconfigurator,
// 2026-08), half of it an edge. Through the host: 15 us (11 to 20) and half the narrower link, because bytes cross
// twice (two 3090 on PCIe 3.0 x16: 7.5 GB/s, 6.1 to 8.6, of 12; NVIDIA/nccl issue 1127).
inline constexpr Seconds kPeerLatency{10e-6};
inline constexpr Seconds kThroughHostLatency{15e-6};
inline constexpr double kThroughHostShare = 0.5;

class Topology {
 public:
  // Faults: unknown profiles or names, a PCIe link that the library does not know, an NIC with fewer ports than bonded.
  static Result<Topology> make(const Cluster& cluster, const ProfileLibrary& library);

  // Least latency, then widest (Dijkstra). No route passes through a GPU on its way to another; wafers do pass data on.
  // RDMA where both ends' nodes use it, else TCP: an NIC's one-way latency is between hosts, so half of it lies at each
  // end, and a switch adds its own. Example: two nodes with 10 GbE (31 us, 9.39 Gb/s) at one switch (3 us), cards in
  // gen 4 x8 slots: device, host, NIC, switch, NIC, host, device: 6 hops, 5 + 15.5 + 3 + 15.5 + 5 = 44 us, 1.174 GB/s.
  tl::expected<Route, Unreachable> route(DevicePlace from, DevicePlace to) const;

  // Names of the nodes that node 0 cannot reach. Empty: the cluster hangs together.
  std::vector<std::string> unreachable_nodes() const;

  struct Graph;  // Boost.Graph stays in topology.cpp

 private:
  explicit Topology(std::shared_ptr<const Graph> graph) : graph_(std::move(graph)) {}
  std::shared_ptr<const Graph> graph_;
};

}  // namespace oblea
