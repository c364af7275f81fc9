#include "hardware/topology.hpp"

#include <algorithm>

#include <gtest/gtest.h>

namespace oblea {
namespace {

template <class T>
Sourced<T> number(T value) {
  return {value, {"by hand", "2026", Confidence::estimate}};
}

Device make_device(DeviceKind kind, double bandwidth) {
  Device device;
  device.kind = kind;
  device.memory_bandwidth = number(BytesPerSecond(bandwidth));
  return device;
}

Nic make_nic(double goodput_gbps, double latency_us, double ports) {
  Nic nic;
  nic.name = "NIC";
  nic.goodput = number(BytesPerSecond(goodput_gbps * 1e9 / 8));
  nic.tcp_latency = number(kMicrosecond * latency_us);
  nic.ports = number(ports);
  return nic;
}

ProfileLibrary make_library() {
  ProfileLibrary library;
  library.devices["card"] = make_device(DeviceKind::gpu, 936e9);
  library.devices["wafer"] = make_device(DeviceKind::wafer, 43.2e15);
  library.nics["10gbe"] = make_nic(9.39, 31, 1);
  library.nics["2.5gbe"] = make_nic(2.35, 40, 2);
  library.nics["connectx-3"] = make_nic(23, 22, 2);
  library.nics["connectx-3"].rdma_goodput = number(BytesPerSecond(26.3e9 / 8));
  library.nics["connectx-3"].rdma_latency = number(kMicrosecond * 1.1);
  Switch one;
  one.ports = number(std::vector<SwitchPorts>{{"rj45", BytesPerSecond(1.25e9), 8}});
  one.latency = number(kMicrosecond * 3.0);
  library.switches["switch"] = one;
  library.switches["switch"].ports.value[0].rate = BytesPerSecond(5e9);
  library.interconnects["nvlink"] = {"nvlink", "NVLink", number(BytesPerSecond(50e9)), number(kMicrosecond * 5.0)};
  library.interconnects["wafer-link"] = {"wafer-link", "", number(BytesPerSecond(300e9)), number(kMicrosecond * 2.0)};
  library.pcie_links = {{4, 8, number(BytesPerSecond(13e9))},
                        {3, 16, number(BytesPerSecond(12e9))},
                        {1, 1, number(BytesPerSecond(0.2e9))}};
  return library;
}

ClusterNode make_node(const std::string& name, const std::string& nic, int cards = 1) {
  ClusterNode node;
  node.name = name;
  node.nic = nic;
  for (int i = 0; i < cards; ++i) node.devices.push_back({"card", i, 4, 8});
  return node;
}

// Two boxes at one switch.
Cluster two_nodes(const std::string& nic) {
  Cluster cluster;
  cluster.nodes = {make_node("left", nic), make_node("right", nic)};
  cluster.switches = {{"shelf", "switch"}};
  cluster.links = {{"left", "shelf", ""}, {"shelf", "right", ""}};
  return cluster;
}

Route route_between(const Cluster& cluster, DevicePlace from, DevicePlace to) {
  const Result<Topology> topology = Topology::make(cluster, make_library());
  EXPECT_TRUE(topology.has_value());
  const auto route = topology->route(from, to);
  EXPECT_TRUE(route.has_value());
  return *route;
}

// device 5, host 15.5, NIC 1.5, switch 1.5, NIC 15.5, host 5: 44 us over six edges; 9.39 Gb/s = 1.174 GB/s.
TEST(Topology, TwoNodesWith10GbEThroughASwitch) {
  const Route route = route_between(two_nodes("10gbe"), {0, 0}, {1, 0});
  EXPECT_EQ(route.route_class, RouteClass::ethernet_tcp);
  EXPECT_EQ(route.hops, 6);
  EXPECT_NEAR(route.latency.value(), 44e-6, 1e-12);
  EXPECT_DOUBLE_EQ(route.goodput.value(), 9.39e9 / 8);
  EXPECT_EQ(route.bottleneck, "left - left nic");
  EXPECT_EQ(route.vertices,
            (std::vector<std::string>{"left/0", "left", "left nic", "shelf", "right nic", "right", "right/0"}));
}

// RDMA at both ends: 5 + 0.55 + 3 + 0.55 + 5 = 14.1 us and 26.3 Gb/s. At one end only: TCP, 5 + 11 + 3 + 11 + 5 = 35
// us.
TEST(Topology, RdmaNeedsBothEnds) {
  Cluster cluster = two_nodes("connectx-3");
  cluster.nodes[0].uses_rdma = true;
  EXPECT_EQ(route_between(cluster, {0, 0}, {1, 0}).route_class, RouteClass::ethernet_tcp);
  EXPECT_NEAR(route_between(cluster, {0, 0}, {1, 0}).latency.value(), 35e-6, 1e-12);
  cluster.nodes[1].uses_rdma = true;
  const Route route = route_between(cluster, {0, 0}, {1, 0});
  EXPECT_EQ(route.route_class, RouteClass::rdma);
  EXPECT_NEAR(route.latency.value(), 14.1e-6, 1e-12);
  EXPECT_DOUBLE_EQ(route.goodput.value(), 26.3e9 / 8);
}

// 2 x 2.5 GbE bonded: one flow gets 2.35 Gb/s, many together 4.7.
TEST(Topology, OneFlowGetsOneLinkOfABond) {
  Cluster cluster = two_nodes("2.5gbe");
  cluster.nodes[0].bonded_ports = cluster.nodes[1].bonded_ports = 2;
  const Route route = route_between(cluster, {0, 0}, {1, 0});
  EXPECT_DOUBLE_EQ(route.goodput.value(), 2.35e9 / 8);
  EXPECT_DOUBLE_EQ(route.goodput_all_flows.value(), 4.7e9 / 8);
}

// Four cards in x8 slots of 13 GB/s: through host memory half of it and 15 us; peer to peer all of it and 10 us.
TEST(Topology, CardsOfOneBoxMeetInHostMemoryUnlessPeersMayTalk) {
  Cluster cluster;
  cluster.nodes = {make_node("box", "", 4)};
  const Route bounced = route_between(cluster, {0, 0}, {0, 3});
  EXPECT_EQ(bounced.route_class, RouteClass::pcie_through_host);
  EXPECT_EQ(bounced.hops, 2);
  EXPECT_DOUBLE_EQ(bounced.goodput.value(), 6.5e9);
  EXPECT_NEAR(bounced.latency.value(), 15e-6, 1e-12);
  cluster.nodes[0].peer_to_peer = true;
  const Route peer = route_between(cluster, {0, 0}, {0, 3});
  EXPECT_EQ(peer.route_class, RouteClass::pcie_peer);
  EXPECT_DOUBLE_EQ(peer.goodput.value(), 13e9);
  EXPECT_NEAR(peer.latency.value(), 10e-6, 1e-12);
  EXPECT_EQ(route_between(cluster, {0, 2}, {0, 2}).route_class, RouteClass::same_device);
  EXPECT_EQ(route_between(cluster, {0, 2}, {0, 2}).hops, 0);
}

// A gen 1 x1 riser of 0.2 GB/s rules, whatever the other card has.
TEST(Topology, RisersAreTheBottleneck) {
  Cluster cluster;
  cluster.nodes = {make_node("frame", "", 2)};
  cluster.nodes[0].peer_to_peer = true;
  cluster.nodes[0].devices[1] = {"card", 1, 1, 1};
  const Route route = route_between(cluster, {0, 0}, {0, 1});
  EXPECT_DOUBLE_EQ(route.goodput.value(), 0.2e9);
  EXPECT_EQ(route.bottleneck, "frame - frame/1");
}

// Bridges 0-1 and 1-2: 0 to 2 goes over PCIe, because a card passes nothing on.
TEST(Topology, NvlinkJoinsTwoCardsAndNoThird) {
  Cluster cluster;
  cluster.nodes = {make_node("box", "", 3)};
  cluster.nodes[0].bridges = {{0, 1, "nvlink"}, {1, 2, "nvlink"}};
  EXPECT_EQ(route_between(cluster, {0, 0}, {0, 1}).route_class, RouteClass::nvlink);
  EXPECT_DOUBLE_EQ(route_between(cluster, {0, 0}, {0, 1}).goodput.value(), 50e9);
  EXPECT_EQ(route_between(cluster, {0, 0}, {0, 2}).route_class, RouteClass::pcie_through_host);
}

// Six wafers in a ring, 2 us a hop: the farthest is three hops away, the last one from the first is one.
TEST(Topology, WafersInARingTakeTheShorterWay) {
  Cluster cluster;
  for (int i = 0; i < 6; ++i) {
    ClusterNode node;
    node.name = "w" + std::to_string(i);
    node.devices = {{"wafer"}};
    cluster.nodes.push_back(node);
    cluster.links.push_back({"w" + std::to_string(i), "w" + std::to_string((i + 1) % 6), "wafer-link"});
  }
  const Route far = route_between(cluster, {0, 0}, {3, 0});
  EXPECT_EQ(far.route_class, RouteClass::wafer_link);
  EXPECT_EQ(far.hops, 3);
  EXPECT_NEAR(far.latency.value(), 6e-6, 1e-12);
  EXPECT_DOUBLE_EQ(far.goodput.value(), 300e9);
  EXPECT_EQ(route_between(cluster, {5, 0}, {0, 0}).hops, 1);
}

// Two ways of equal latency: the wider one.
TEST(Topology, EqualLatencyGoesTheWiderWay) {
  Cluster cluster = two_nodes("10gbe");
  cluster.switches.push_back({"slow shelf", "slow"});
  cluster.links.insert(cluster.links.begin(), {{"left", "slow shelf", ""}, {"slow shelf", "right", ""}});
  ProfileLibrary library = make_library();
  library.switches["slow"] = library.switches["switch"];
  library.switches["slow"].ports.value[0].rate = BytesPerSecond(0.125e9);
  const Result<Topology> topology = Topology::make(cluster, library);
  ASSERT_TRUE(topology.has_value());
  EXPECT_DOUBLE_EQ(topology->route({0, 0}, {1, 0})->goodput.value(), 9.39e9 / 8);
}

TEST(Topology, SaysWhichNodeNothingReaches) {
  Cluster cluster = two_nodes("10gbe");
  cluster.nodes.push_back(make_node("island", "10gbe"));
  const Result<Topology> topology = Topology::make(cluster, make_library());
  ASSERT_TRUE(topology.has_value());
  const auto route = topology->route({0, 0}, {2, 0});
  ASSERT_FALSE(route.has_value());
  EXPECT_EQ(route.error().to, "island/0");
  EXPECT_EQ(route.error().message, "no link leads from left to island");
  EXPECT_EQ(topology->unreachable_nodes(), std::vector<std::string>{"island"});
}

// There and back over the same cable are two things, and the least of what is crossed is the route's goodput.
TEST(Topology, ARouteListsWhatItCrosses) {
  const Result<Topology> topology = Topology::make(two_nodes("10gbe"), make_library());
  ASSERT_TRUE(topology.has_value());
  const Route there = *topology->route({0, 0}, {1, 0});
  const Route back = *topology->route({1, 0}, {0, 0});
  ASSERT_EQ(there.crossings.size(), 6u);
  BytesPerSecond least = there.crossings.front().goodput;
  for (const Crossing& crossing : there.crossings) {
    least = std::min(least, crossing.goodput);
    for (const Crossing& other : back.crossings) EXPECT_NE(crossing.resource, other.resource);
  }
  EXPECT_EQ(least, there.goodput);
}

// A x8 card behind an uplink of x1 gets what that carries, and crosses one thing more.
TEST(Topology, AnUplinkNarrowsWhatIsBehindIt) {
  Cluster cluster = two_nodes("10gbe");
  cluster.nodes[0].devices[0].shared = true;
  cluster.nodes[0].uplink_generation = 1;
  cluster.nodes[0].uplink_lanes = 1;
  const Result<Topology> topology = Topology::make(cluster, make_library());
  ASSERT_TRUE(topology.has_value());
  const Route route = *topology->route({0, 0}, {1, 0});
  EXPECT_DOUBLE_EQ(route.goodput.value(), 0.2e9);
  EXPECT_EQ(route.crossings.size(), 7u);
  cluster.nodes[0].uplink_lanes = 2;
  const Result<Topology> unknown = Topology::make(cluster, make_library());
  ASSERT_FALSE(unknown.has_value());
  EXPECT_NE(print_diagnostics(unknown.error()).find("uplink of PCIe 1.0 x2"), std::string::npos);
}

TEST(Topology, EveryFaultIsReportedAtOnce) {
  Cluster cluster = two_nodes("10gbe");
  cluster.nodes[0].devices[0].id = "cart";
  cluster.nodes[1].devices[0].pcie_lanes = 7;
  cluster.nodes[1].bonded_ports = 2;
  cluster.links.push_back({"left", "shelv", ""});
  const Result<Topology> topology = Topology::make(cluster, make_library());
  ASSERT_FALSE(topology.has_value());
  const std::string text = print_diagnostics(topology.error());
  for (const char* words :
       {"no profile \"cart\"", "PCIe 4.0 x7", "2 bonded ports", "\"shelv\"", "\"card\"", "\"shelf\""}) {
    EXPECT_NE(text.find(words), std::string::npos) << words << "\n" << text;
  }
}

}  // namespace
}  // namespace oblea
