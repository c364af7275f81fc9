#include "study/build_machine.hpp"

#include <gtest/gtest.h>

#include "io/read_profiles.hpp"

namespace oblea {
namespace {

const ProfileLibrary& library() {
  static const ProfileLibrary loaded =
      read_profile_library(std::string(OBLEA_SOURCE_DIRECTORY) + "/hardware-profiles").value();
  return loaded;
}

NodeSettings node(const char* host, std::vector<std::string> devices, const char* nic = "") {
  NodeSettings n;
  n.name = "n";
  n.host = host;
  n.devices = std::move(devices);
  n.nic = nic;
  return n;
}

Scenario scenario(std::vector<NodeSettings> nodes, const char* network_switch = "") {
  Scenario s;
  s.path = "s.json";
  s.cluster.nodes = std::move(nodes);
  s.cluster.switch_id = network_switch;
  return s;
}

Machine built(const Scenario& s) {
  Result<Machine> machine = build_machine(s, library());
  if (!machine) throw std::runtime_error(print_diagnostics(machine.error()));
  return std::move(*machine);
}

std::string faults_of(const Scenario& s) {
  const Result<Machine> machine = build_machine(s, library());
  return machine ? "" : print_diagnostics(machine.error());
}

bool holds(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

const char* kFrame = "epyc-7302-romed8-2t-open-frame";  // seven slots on risers

TEST(BuildMachine, LooksEverythingUpAndSeatsTheCards) {
  NodeSettings n = node(kFrame, {"rtx-3090", "rtx-3090"}, "nic-x520");
  n.psu = "psu-1600-gold";
  n.psu_count = 2;
  n.ram = kGiB * 64;
  n.power_limit = Watts(280);
  const Machine machine = built(scenario({n}));
  ASSERT_EQ(machine.boxes.size(), 1u);
  const Box& box = machine.boxes[0];
  EXPECT_EQ(box.host->id, kFrame);
  ASSERT_EQ(box.devices.size(), 2u);
  EXPECT_EQ(box.devices[0]->id, "rtx-3090");
  ASSERT_EQ(box.slots.size(), 2u);
  EXPECT_EQ(box.slots[0].generation, 4);
  EXPECT_EQ(box.slots[0].lanes, 16);
  EXPECT_EQ(box.nic->id, "nic-x520");
  EXPECT_EQ(box.psu->id, "psu-1600-gold");
  EXPECT_EQ(box.psu_count, 2);
  EXPECT_EQ(box.ram_bytes, kGiB * 64);
  EXPECT_EQ(box.power_limit, Watts(280));
  EXPECT_FALSE(box.owned);
  EXPECT_EQ(machine.network_switch, nullptr);
}

TEST(BuildMachine, WhatIsNotSaidIsTheHostsOwn) {
  const Machine machine = built(scenario({node(kFrame, {"rtx-3090"})}));
  EXPECT_EQ(machine.boxes[0].nic->id, machine.boxes[0].host->nic);
  EXPECT_EQ(machine.boxes[0].psu, nullptr);
  EXPECT_EQ(machine.boxes[0].ram_bytes, kGiB * 32);
}

TEST(BuildMachine, RisersNarrowAndSlowTheLinksButNeverWidenThem) {
  NodeSettings n = node(kFrame, {"rtx-3090"});
  n.pcie_lanes = 1;
  n.pcie_generation = 3;
  Machine machine = built(scenario({n}));
  EXPECT_EQ(machine.boxes[0].slots[0].lanes, 1);
  EXPECT_EQ(machine.boxes[0].slots[0].generation, 3);
  n.pcie_lanes = 16;
  n.pcie_generation = 7;
  machine = built(scenario({n}));
  EXPECT_EQ(machine.boxes[0].slots[0].generation, 4);
}

TEST(BuildMachine, ASocIsTheBoxWhetherItIsListedOrNot) {
  for (const std::vector<std::string>& devices : {std::vector<std::string>{}, std::vector<std::string>{"m3-ultra"}}) {
    const Machine machine = built(scenario({node("mac-studio-m3-ultra", devices)}));
    ASSERT_EQ(machine.boxes[0].devices.size(), 1u);
    EXPECT_EQ(machine.boxes[0].devices[0]->id, "m3-ultra");
    ASSERT_EQ(machine.boxes[0].slots.size(), 1u);
    EXPECT_EQ(machine.boxes[0].slots[0].lanes, 0);
    EXPECT_GT(machine.boxes[0].ram_bytes, kGiB * 32) << "what the box includes";
  }
}

TEST(BuildMachine, TwoBoxesNeedNoSwitchAndThreeDo) {
  const NodeSettings n = node(kFrame, {"rtx-3090"}, "nic-x520");
  const Machine two = built(scenario({n, n}));
  EXPECT_EQ(two.network_switch, nullptr);
  ASSERT_NE(two.cable, nullptr);
  EXPECT_EQ(two.cable->port, two.boxes[0].nic->port);
  EXPECT_EQ(two.cables, 1);
  EXPECT_TRUE(holds(faults_of(scenario({n, n, n})), "3 nodes need a switch"));
  EXPECT_TRUE(holds(faults_of(scenario({n, n, n})), "cluster.switch"));
  const Machine three = built(scenario({n, n, n}, "switch-crs309"));
  EXPECT_EQ(three.network_switch->id, "switch-crs309");
  EXPECT_EQ(three.cables, 3);
}

TEST(BuildMachine, PlugsMustMatchAndPortsSuffice) {
  const NodeSettings sfp = node(kFrame, {"rtx-3090"}, "nic-x520");
  const NodeSettings rj45 = node(kFrame, {"rtx-3090"}, "nic-10gbase-t");
  EXPECT_TRUE(holds(faults_of(scenario({sfp, rj45})), "plugs differ"));
  NodeSettings bonded = sfp;
  bonded.nic_ports = 3;
  // A CRS309 has eight SFP+ ports: nine plugs are one too many.
  EXPECT_TRUE(holds(faults_of(scenario({bonded, bonded, bonded}, "switch-crs309")), "8 ports for 9 of"));
}

TEST(BuildMachine, CardsThatDoNotGoInAreFaultsOfTheScenario) {
  const std::vector<std::string> cards(5, "rtx-3090");
  const std::string text = faults_of(scenario({node("am4-b550-ryzen-5600", cards)}));
  EXPECT_TRUE(holds(text, "s.json: error: node \"n\"")) << text;
  EXPECT_TRUE(holds(text, "does not take the cards")) << text;
}

TEST(BuildMachine, MoreRamThanTheBoardTakesIsAFault) {
  NodeSettings n = node("am4-b550-ryzen-5600", {"rtx-3090"});
  n.ram = kGiB * 4096;
  EXPECT_TRUE(holds(faults_of(scenario({n})), "of RAM at most"));
}

TEST(BuildMachine, EveryFaultIsFoundAtOnce) {
  NodeSettings a = node("am4-b550-ryzen-5600", std::vector<std::string>(5, "rtx-3090"));
  a.ram = kGiB * 4096;
  const Result<Machine> machine = build_machine(scenario({a, a, a}), library());
  ASSERT_FALSE(machine);
  EXPECT_GE(machine.error().size(), 7u);  // two a node, and the missing switch
}

TEST(BuildMachine, RdmaIsTakenOver) {
  Scenario s = scenario({node(kFrame, {"rtx-3090"})});
  EXPECT_FALSE(built(s).rdma);
  s.cluster.rdma = true;
  EXPECT_TRUE(built(s).rdma);
}

TEST(BuildMachine, AScenarioWithoutACluster) { EXPECT_TRUE(built(scenario({})).boxes.empty()); }

}  // namespace
}  // namespace oblea
