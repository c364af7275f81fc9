#include "study/match_machine.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "support/fake_machine.hpp"
#include "support/repository.hpp"

namespace oblea {
namespace {

using test::FakeLink;
using test::FakeMachine;

MatchedMachine match(const FakeMachine& machine) { return match_machine(machine.find(), test::repository_library()); }

bool notes_hold(const MatchedMachine& matched, const std::string& part) {
  return std::any_of(matched.notes.begin(), matched.notes.end(),
                     [&](const std::string& note) { return note.find(part) != std::string::npos; });
}

std::string all_notes(const MatchedMachine& matched) {
  std::string text;
  for (const std::string& note : matched.notes) text += note + "\n";
  return text;
}

TEST(MatchMachine, TwoCardsOnX570AreANode) {
  FakeMachine machine;
  make_two_3090(machine);
  const MatchedMachine matched = match(machine);
  const NodeSettings& node = matched.node;
  EXPECT_EQ(node.name, "desk");
  EXPECT_EQ(node.host, "am4-x570-ryzen-5900x");
  EXPECT_EQ(node.devices, (std::vector<std::string>{"rtx-3090", "rtx-3090"}));
  EXPECT_EQ(node.ram, kGiB * 64);
  EXPECT_EQ(node.power_limit, Watts(280));
  EXPECT_EQ(node.nic, "") << "the host's own";
  EXPECT_EQ(node.pcie_lanes, 0) << "gen4 x8, as the slots are wired";
  EXPECT_EQ(node.pcie_generation, 0);
  EXPECT_EQ(matched.host.kind, MatchKind::exact);
  EXPECT_TRUE(notes_hold(matched, "cards at rest")) << all_notes(matched);
}

TEST(MatchMachine, ARiserNarrowsTheNode) {
  FakeMachine machine;
  machine.cpu("AMD EPYC 7302 16-Core Processor", "AuthenticAMD", 23, 49, 1, 16)
      .memory(251.5)
      .board("ASRockRack", "", "ROMED8-2T")
      .nvml(
          "gpu NVIDIA GeForce RTX 3090|25769803776|00000000:01:00.0|220410DE|1|4|16|16|350000|350000\n"
          "gpu NVIDIA GeForce RTX 3090|25769803776|00000000:02:00.0|220410DE|1|3|4|16|300000|350000\n");
  const MatchedMachine matched = match(machine);
  EXPECT_EQ(matched.host.kind, MatchKind::exact);
  EXPECT_EQ(matched.node.pcie_lanes, 4);
  EXPECT_EQ(matched.node.pcie_generation, 3);
  EXPECT_TRUE(notes_hold(matched, "the links differ")) << all_notes(matched);
  EXPECT_FALSE(matched.node.power_limit) << "the other card has none";
  EXPECT_TRUE(notes_hold(matched, "only some cards")) << all_notes(matched);
}

TEST(MatchMachine, AnEightGpuServerIsANode) {
  FakeMachine machine;
  make_eight_h100(machine);
  const MatchedMachine matched = match(machine);
  EXPECT_EQ(matched.node.host, "hgx-8gpu");
  EXPECT_EQ(matched.node.devices, std::vector<std::string>(8, "h100-sxm-80"));
  EXPECT_EQ(matched.node.ram, kGiB * 2048);
  EXPECT_EQ(matched.node.nic, "") << "the host's own is 200 Gb/s InfiniBand";
}

TEST(MatchMachine, AWrongCardIsLeftOutAloud) {
  FakeMachine machine;
  make_two_3090(machine);
  machine.nvml(
      "gpu NVIDIA GeForce RTX 3090|25769803776|00000000:0A:00.0|220410DE|1|4|8|16\n"
      "gpu NVIDIA GeForce RTX 4060 Ti|8585740288|00000000:0B:00.0|280310DE|1|4|8|8\n");
  const MatchedMachine matched = match(machine);
  EXPECT_EQ(matched.node.devices, std::vector<std::string>{"rtx-3090"});
  ASSERT_EQ(matched.gpus.size(), 2u);
  EXPECT_EQ(matched.gpus[1].kind, MatchKind::none);
  EXPECT_TRUE(notes_hold(matched, "NVIDIA GeForce RTX 4060 Ti is left out")) << all_notes(matched);
}

TEST(MatchMachine, AContainersLimitIsTheRam) {
  FakeMachine machine;
  make_two_3090(machine);
  machine.file("/.dockerenv", "").file("/sys/fs/cgroup/memory.max", "34359738368\n");
  const MatchedMachine matched = match(machine);
  EXPECT_EQ(matched.node.ram, kGiB * 32);
  EXPECT_TRUE(notes_hold(matched, "control group")) << all_notes(matched);
  EXPECT_TRUE(notes_hold(matched, "container (docker)")) << all_notes(matched);
}

TEST(MatchMachine, ANetworkCardWithoutASlotBesideTheCardsIsLeftOut) {
  FakeMachine machine;
  make_two_3090(machine);
  machine.pci("0000:0d:00.0", "0x15b3", "0x1017", "0x020000", {}, {})
      .nic("enp13s0", "0000:0d:00.0", "mlx5_core", 100000)
      .nvml(
          "gpu NVIDIA GeForce RTX 3090|25769803776|00000000:0A:00.0|220410DE|4|4|8|16\n"
          "gpu NVIDIA GeForce RTX 3090|25769803776|00000000:0B:00.0|220410DE|4|4|8|16\n"
          "gpu NVIDIA RTX A4000|17171480576|00000000:0C:00.0|24B010DE|4|4|4|16\n");
  const MatchedMachine matched = match(machine);
  EXPECT_EQ(matched.node.host, "am4-x570-ryzen-5900x");
  EXPECT_EQ(matched.node.nic, "");
  EXPECT_TRUE(notes_hold(matched, "nic-connectx-5 is left out")) << all_notes(matched);
  FakeMachine roomier;
  make_two_3090(roomier);
  roomier.pci("0000:0d:00.0", "0x15b3", "0x1017", "0x020000", {}, {})
      .nic("enp13s0", "0000:0d:00.0", "mlx5_core", 100000);
  EXPECT_EQ(match(roomier).node.nic, "nic-connectx-5");
}

TEST(MatchMachine, ACableThatHoldsAPortBackIsNoted) {
  FakeMachine machine;
  make_two_3090(machine);
  machine.pci("0000:06:00.0", "0x10ec", "0x8125", "0x020000", {}, {}).nic("enp6s0", "0000:06:00.0", "r8169", 1000);
  const MatchedMachine matched = match(machine);
  EXPECT_TRUE(notes_hold(matched, "enp6s0 (Realtek RTL8125 2.5GbE): joined at 1 Gb/s, can do 2.5"))
      << all_notes(matched);
}

// Slots are named best first, so the card with the wider link comes first.
TEST(MatchMachine, CardsStandInTheOrderOfTheirLinks) {
  FakeMachine machine;
  machine.cpu("AMD Ryzen 5 5600 6-Core Processor", "AuthenticAMD", 25, 33, 1, 6)
      .memory(31.3)
      .board("MSI", "", "B550 TOMAHAWK")
      .nvml(
          "gpu NVIDIA GeForce RTX 3060|12884901888|00000000:05:00.0|250310DE|1|3|4|16\n"
          "gpu NVIDIA GeForce RTX 3090|25769803776|00000000:01:00.0|220410DE|1|4|16|16\n");
  const NodeSettings node = match(machine).node;
  EXPECT_EQ(node.devices, (std::vector<std::string>{"rtx-3090", "rtx-3060-12"}));
  EXPECT_EQ(node.pcie_lanes, 0) << "gen4 x16 and gen3 x4, as this board is wired";
  EXPECT_EQ(node.pcie_generation, 0);
}

TEST(MatchMachine, ASparksGpuComesWithItsHost) {
  FakeMachine machine;
  machine.memory(121.69)
      .board("NVIDIA", "NVIDIA_DGX_Spark", "P4242")
      .nvml("gpu NVIDIA GB10|-|0000000F:01:00.0|2E1210DE|-|-|-|-|-|-|-|-\n");
  const MatchedMachine matched = match(machine);
  EXPECT_EQ(matched.node.host, "dgx-spark");
  EXPECT_TRUE(matched.node.devices.empty());
  EXPECT_EQ(matched.node.ram, Bytes(0)) << "one memory: the profile says how much";
  EXPECT_EQ(matched.gpus[0].kind, MatchKind::exact);
  EXPECT_EQ(matched.gpus[0].id, "gb10-dgx-spark");
}

TEST(MatchMachine, GraphicsOfTheProcessorComeWithTheHost) {
  FakeMachine machine;
  machine.cpu("AMD RYZEN AI MAX+ 395 w/ Radeon 8060S", "AuthenticAMD", 26, 112, 1, 16)
      .memory(31.1)
      .board("Framework", "Desktop (AMD Ryzen AI Max 300 Series)", "FRANMFCP06")
      .pci("0000:c3:00.0", "0x1002", "0x1586", "0x038000", {}, {}, "0xc1")
      .file("/sys/bus/pci/devices/0000:c3:00.0/mem_info_vram_total", "103079215104\n");
  const MatchedMachine matched = match(machine);
  EXPECT_EQ(matched.node.host, "framework-strix-halo");
  EXPECT_TRUE(matched.node.devices.empty());
  ASSERT_EQ(matched.gpus.size(), 1u);
  EXPECT_EQ(matched.gpus[0].id, "strix-halo-395");
  EXPECT_FALSE(notes_hold(matched, "left out")) << all_notes(matched);
}

TEST(MatchMachine, MoreRamThanTheHostTakesIsCutAndSaid) {
  FakeMachine machine;
  machine.file("/proc/cpuinfo", "processor : 0\nCPU implementer : 0x41\n")
      .file("/proc/device-tree/model", "Raspberry Pi 5 Model B Rev 1.1")
      .memory(15.8);
  const MatchedMachine matched = match(machine);
  EXPECT_EQ(matched.node.host, "raspberry-pi-5");
  EXPECT_EQ(matched.node.ram, kGiB * 8);
  EXPECT_TRUE(notes_hold(matched, "16 GiB found")) << all_notes(matched);
}

TEST(MatchMachine, MigAndWslAreNoted) {
  FakeMachine machine;
  make_two_3090(machine);
  machine.file("/proc/sys/kernel/osrelease", "5.15-microsoft-standard-WSL2\n")
      .nvml("gpu NVIDIA A100 80GB PCIe|85899345920|00000000:0A:00.0|20B510DE|4|4|16|16|300000|300000|1\n");
  const MatchedMachine matched = match(machine);
  EXPECT_TRUE(notes_hold(matched, "MIG")) << all_notes(matched);
  EXPECT_TRUE(notes_hold(matched, "inside WSL")) << all_notes(matched);
}

}  // namespace
}  // namespace oblea
