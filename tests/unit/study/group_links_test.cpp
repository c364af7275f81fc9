#include "study/group_links.hpp"

#include <gtest/gtest.h>

#include "support/repository.hpp"

namespace oblea {
namespace {

constexpr double kGigabit = 117e6;

ClusterNode box(const char* name, int cards, const char* nic = "nic-1gbe") {
  ClusterNode node;
  node.name = name;
  node.nic = nic;
  for (int i = 0; i < cards; ++i) node.devices.push_back({"rtx-3090", i, 4, 16});
  return node;
}

Cluster at_one_switch(std::vector<ClusterNode> nodes, const char* network_switch = "switch-1gbe-8port") {
  Cluster cluster;
  cluster.nodes = std::move(nodes);
  cluster.switches.push_back({"switch", network_switch});
  for (const ClusterNode& node : cluster.nodes) cluster.links.push_back({node.name, "switch", ""});
  return cluster;
}

Topology topology_of(const Cluster& cluster, const ProfileLibrary& library = test::repository_library()) {
  return *Topology::make(cluster, library);
}

std::vector<BytesPerSecond> rates(const Topology& topology,
                                  const std::vector<std::pair<DevicePlace, DevicePlace>>& ends) {
  std::vector<Flow> flows;
  for (const auto& [from, to] : ends) flows.push_back({*topology.route(from, to), from.node, to.node});
  return equal_flow_rates(flows);
}

// Two cards of each box to their partners: both flows leave through one port, 58.5 MB/s each, and so do those that come
// back, on the other half of the cable.
TEST(GroupLinks, FlowsShareAPortAndEachDirectionIsOnItsOwn) {
  const Topology topology = topology_of(at_one_switch({box("a", 2), box("b", 2)}));
  const auto both_ways = rates(topology, {{{0, 0}, {1, 0}}, {{0, 1}, {1, 1}}, {{1, 0}, {0, 0}}, {{1, 1}, {0, 1}}});
  for (const BytesPerSecond rate : both_ways) EXPECT_DOUBLE_EQ(rate.value(), kGigabit / 2);
  EXPECT_DOUBLE_EQ(rates(topology, {{{0, 0}, {1, 0}}, {{1, 1}, {0, 1}}}).front().value(), kGigabit);
}

// One flow over two bonded ports of 2.5 GbE gets one of them; two flows get one each; three share one of the two.
TEST(GroupLinks, AFlowTakesOnePortOfABond) {
  std::vector<ClusterNode> nodes = {box("a", 3, "nic-2.5gbe-dual"), box("b", 3, "nic-2.5gbe-dual")};
  for (ClusterNode& node : nodes) node.bonded_ports = 2;
  const Topology topology = topology_of(at_one_switch(nodes, "switch-2.5gbe-8port"));
  const double port = 294e6;
  EXPECT_DOUBLE_EQ(rates(topology, {{{0, 0}, {1, 0}}})[0].value(), port);
  const auto two = rates(topology, {{{0, 0}, {1, 0}}, {{0, 1}, {1, 1}}});
  EXPECT_DOUBLE_EQ(two[0].value(), port);
  EXPECT_DOUBLE_EQ(two[1].value(), port);
  // Nodes 0 and 1, flows 0, 1 and 2: ports 1, 0 and 1.
  const auto three = rates(topology, {{{0, 0}, {1, 0}}, {{0, 1}, {1, 1}}, {{0, 2}, {1, 2}}});
  EXPECT_DOUBLE_EQ(three[0].value(), port / 2);
  EXPECT_DOUBLE_EQ(three[1].value(), port);
  EXPECT_DOUBLE_EQ(three[2].value(), port / 2);
}

// A ring in rank order crosses each cable once a direction; partners two ranks apart cross it twice.
TEST(GroupLinks, ARingCrossesACableOnceAnExchangeTwice) {
  const Topology topology = topology_of(at_one_switch({box("a", 2), box("b", 2)}));
  const std::vector<DevicePlace> ranks = {{0, 0}, {0, 1}, {1, 0}, {1, 1}};
  const CollectiveGroup group = make_group_links(topology, ranks, Bytes(0));
  EXPECT_EQ(group.ring.kind, LinkClass::tcp);
  EXPECT_DOUBLE_EQ(group.ring.goodput.value(), kGigabit);
  ASSERT_EQ(group.exchange.size(), 2u);
  EXPECT_EQ(group.exchange[0].kind, LinkClass::pcie_host_bounce);
  EXPECT_EQ(group.exchange[1].kind, LinkClass::tcp);
  EXPECT_DOUBLE_EQ(group.exchange[1].goodput.value(), kGigabit / 2);
}

// Rank 0 sends to three at once through its one port, and hears three at once.
TEST(GroupLinks, TheMiddleOfAStarSharesItsPort) {
  const Topology topology = topology_of(at_one_switch({box("a", 1), box("b", 1), box("c", 1), box("d", 1)}));
  const std::vector<DevicePlace> ranks = {{0, 0}, {1, 0}, {2, 0}, {3, 0}};
  const CollectiveGroup group = make_group_links(topology, ranks, Bytes(24e3));
  EXPECT_DOUBLE_EQ(group.star_out.goodput.value(), kGigabit / 3);
  EXPECT_DOUBLE_EQ(group.star_in.goodput.value(), kGigabit / 3);
  EXPECT_DOUBLE_EQ(group.port_buffer.value(), 24e3);
  EXPECT_DOUBLE_EQ(group.ring.goodput.value(), kGigabit);
}

// Six x1 cards behind one x4 uplink: all together a sixth of it each, a half of that through host memory.
TEST(GroupLinks, RisersShareTheirUplink) {
  ClusterNode frame = box("frame", 6);
  for (InstalledDevice& card : frame.devices) card = {"rtx-3090", card.slot, 3, 1, true};
  frame.uplink_generation = 3;
  frame.uplink_lanes = 4;
  Cluster cluster;
  cluster.nodes = {frame};
  const Topology topology = topology_of(cluster);
  const ProfileLibrary& library = test::repository_library();
  const double lane = find_pcie(library, 3, 1)->goodput.value.value();
  const double uplink = find_pcie(library, 3, 4)->goodput.value.value();
  std::vector<DevicePlace> ranks;
  for (int i = 0; i < 6; ++i) ranks.push_back({0, i});
  const CollectiveGroup two = make_group_links(topology, std::span(ranks).first(2), Bytes(0));
  EXPECT_DOUBLE_EQ(two.ring.goodput.value(), lane / 2);
  const CollectiveGroup six = make_group_links(topology, ranks, Bytes(0));
  EXPECT_DOUBLE_EQ(six.ring.goodput.value(), uplink / 6 / 2);
  EXPECT_LT(six.ring.goodput.value(), two.ring.goodput.value());
}

// Eight ports of 1 Gb/s, 4 Gb/s in all: eight flows in a ring get 62.5 MB/s each.
TEST(GroupLinks, FlowsShareABackplane) {
  ProfileLibrary library = test::repository_library();
  library.switches.at("switch-1gbe-8port").backplane = Sourced<BytesPerSecond>{BytesPerSecond(0.5e9), {}};
  std::vector<ClusterNode> nodes;
  std::vector<DevicePlace> ranks;
  for (int i = 0; i < 8; ++i) {
    nodes.push_back(box(std::string(1, static_cast<char>('a' + i)).c_str(), 1));
    ranks.push_back({i, 0});
  }
  const CollectiveGroup group = make_group_links(topology_of(at_one_switch(nodes), library), ranks, Bytes(0));
  EXPECT_DOUBLE_EQ(group.ring.goodput.value(), 62.5e6);
}

}  // namespace
}  // namespace oblea
