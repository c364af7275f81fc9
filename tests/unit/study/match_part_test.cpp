#include "study/match_part.hpp"

#include <gtest/gtest.h>

#include "support/repository.hpp"

namespace oblea {
namespace {

const ProfileLibrary& library() { return test::repository_library(); }

FoundGpu card(const std::string& name, double mib) {
  FoundGpu gpu;
  gpu.name = name;
  gpu.vendor = name.find("AMD") == 0 ? "amd" : name.find("Intel") == 0 ? "intel" : "nvidia";
  if (mib > 0) gpu.memory = kMiB * mib;
  return gpu;
}

struct GpuCase {
  const char* name;
  double mib;  // as nvidia-smi or amdgpu shows it
  MatchKind kind;
  const char* id;
};

TEST(MatchGpu, NameAndMemoryTogetherNameTheProfile) {
  const GpuCase cases[] = {
      {"NVIDIA GeForce RTX 3090", 24576, MatchKind::exact, "rtx-3090"},
      {"NVIDIA GeForce RTX 3090 Ti", 24564, MatchKind::exact, "rtx-3090-ti"},
      {"NVIDIA GeForce RTX 3060", 12288, MatchKind::exact, "rtx-3060-12"},
      {"NVIDIA GeForce RTX 3080", 10240, MatchKind::exact, "rtx-3080-10"},
      {"NVIDIA GeForce RTX 3080 Ti", 12288, MatchKind::exact, "rtx-3080-ti"},
      {"NVIDIA GeForce RTX 4060 Ti", 16380, MatchKind::exact, "rtx-4060-ti-16"},
      {"NVIDIA GeForce RTX 4070 Ti SUPER", 16376, MatchKind::exact, "rtx-4070-ti-super"},
      {"NVIDIA GeForce RTX 4070 Laptop GPU", 8188, MatchKind::exact, "rtx-4070-laptop"},
      {"NVIDIA A100-PCIE-40GB", 40960, MatchKind::exact, "a100-pcie-40"},
      {"NVIDIA A100 80GB PCIe", 81920, MatchKind::exact, "a100-pcie-80"},
      {"NVIDIA A100-SXM4-80GB", 81920, MatchKind::exact, "a100-sxm-80"},
      {"NVIDIA H100 80GB HBM3", 81559, MatchKind::exact, "h100-sxm-80"},
      {"NVIDIA H100 PCIe", 81559, MatchKind::exact, "h100-pcie-80"},
      {"NVIDIA H200", 143771, MatchKind::exact, "h200-sxm-141"},
      {"NVIDIA B200", 183359, MatchKind::exact, "b200-sxm"},
      {"NVIDIA L40S", 46068, MatchKind::exact, "l40s"},  // error correction keeps a sixteenth
      {"NVIDIA L4", 23034, MatchKind::exact, "l4"},
      {"Tesla T4", 15360, MatchKind::exact, "t4"},
      {"Tesla P40", 22919, MatchKind::exact, "tesla-p40"},
      {"Tesla V100-PCIE-32GB", 32510, MatchKind::exact, "v100-pcie-32"},
      {"Tesla V100-SXM2-32GB", 32510, MatchKind::exact, "v100-sxm2-32"},
      {"NVIDIA RTX A6000", 49140, MatchKind::exact, "rtx-a6000"},
      {"NVIDIA RTX 6000 Ada Generation", 49140, MatchKind::exact, "rtx-6000-ada"},
      {"NVIDIA RTX PRO 6000 Blackwell Workstation Edition", 97887, MatchKind::exact, "rtx-pro-6000-bw"},
      {"AMD Radeon RX 7900 XTX", 24560, MatchKind::exact, "rx-7900-xtx"},
      {"AMD Instinct MI300X OAM", 196592, MatchKind::exact, "mi300x"},
      {"Intel Arc A770", 0, MatchKind::exact, "arc-a770"},
      {"Intel Arc B580", 11605, MatchKind::exact, "arc-b580"},
  };
  for (const GpuCase& c : cases) {
    const PartMatch match = match_gpu(card(c.name, c.mib), library());
    EXPECT_EQ(match.kind, c.kind) << c.name << ": " << match.words;
    EXPECT_EQ(match.id, c.id) << c.name;
  }
}

TEST(MatchGpu, AStandInHasNoMoreMemoryAndIsCalledOne) {
  const GpuCase cases[] = {
      {"NVIDIA GeForce RTX 3080", 12288, MatchKind::nearest, "rtx-3080-10"},
      {"NVIDIA GeForce RTX 4090 D", 24564, MatchKind::nearest, "rtx-4090"},
      {"NVIDIA GeForce RTX 4080 SUPER", 16376, MatchKind::nearest, "rtx-4080"},
      {"NVIDIA H100 NVL", 95830, MatchKind::nearest, "h100-pcie-80"},
      {"NVIDIA A100-SXM4-40GB", 40960, MatchKind::nearest, "a100-pcie-40"},
      {"NVIDIA RTX PRO 6000 Blackwell Max-Q Workstation Edition", 97887, MatchKind::nearest, "rtx-pro-6000-bw"},
  };
  for (const GpuCase& c : cases) {
    const PartMatch match = match_gpu(card(c.name, c.mib), library());
    EXPECT_EQ(match.kind, c.kind) << c.name;
    EXPECT_EQ(match.id, c.id) << c.name;
    EXPECT_NE(match.words.find("stand-in"), std::string::npos) << match.words;
  }
}

TEST(MatchGpu, NothingStandsForACardWithLessMemoryOrOfAnotherKind) {
  const GpuCase cases[] = {
      {"NVIDIA GeForce RTX 4060 Ti", 8188, MatchKind::none, "rtx-4060-ti-16"},
      {"NVIDIA GeForce RTX 3060 Ti", 8192, MatchKind::none, "rtx-3060-12"},
      {"NVIDIA GeForce RTX 3060 Laptop GPU", 6144, MatchKind::none, "rtx-3060-12"},
      {"NVIDIA GeForce RTX 4090 Laptop GPU", 16376, MatchKind::none, "rtx-4070-laptop"},
      {"GRID T4-8Q", 8192, MatchKind::none, "t4"},
  };
  for (const GpuCase& c : cases) {
    const PartMatch match = match_gpu(card(c.name, c.mib), library());
    EXPECT_EQ(match.kind, MatchKind::none) << c.name << " " << match.id;
    EXPECT_EQ(match.id, "") << c.name;
    EXPECT_NE(match.words.find("likest"), std::string::npos) << c.name << ": " << match.words;
  }
  EXPECT_EQ(match_gpu(card("Matrox G200", 16), library()).id, "");
}

TEST(MatchGpu, TwoProfilesOfOneNameNeedTheMemory) {
  FoundGpu unseen = card("NVIDIA A100 PCIe", 0);
  const PartMatch match = match_gpu(unseen, library());
  EXPECT_EQ(match.kind, MatchKind::nearest);
  EXPECT_EQ(match.id, "a100-pcie-40") << "the one of which what fits does fit";
  EXPECT_NE(match.words.find("not seen"), std::string::npos);
}

TEST(MatchGpu, AnIdThatNoTableKnowsIsShown) {
  FoundGpu gpu;
  gpu.vendor = "nvidia";
  gpu.pci_id = "10de:ffff";
  const PartMatch match = match_gpu(gpu, library());
  EXPECT_EQ(match.kind, MatchKind::none);
  EXPECT_NE(match.words.find("10de:ffff"), std::string::npos);
}

TEST(MatchCpu, NameAndSocketsNameTheProfile) {
  FoundCpu cpu;
  cpu.name = "AMD EPYC 7302 16-Core Processor";
  cpu.sockets = 1;
  EXPECT_EQ(match_cpu(cpu, library()).id, "epyc-7302");
  cpu.name = "Intel(R) Xeon(R) Platinum 8480+";
  EXPECT_EQ(match_cpu(cpu, library()).kind, MatchKind::none) << "the profile is a pair";
  cpu.sockets = 2;
  EXPECT_EQ(match_cpu(cpu, library()).id, "xeon-platinum-8480");
  cpu.name = "AMD EPYC";
  EXPECT_EQ(match_cpu(cpu, library()).kind, MatchKind::none);
}

TEST(MatchNic, TheChipBeforeTheSpeed) {
  FoundNic nic;
  nic.interface = "enp1s0";
  nic.name = "Mellanox ConnectX-4 Lx";
  nic.up = true;
  nic.gigabits = 10;
  PartMatch match = match_nic(nic, library());
  EXPECT_EQ(match.id, "nic-connectx-4-lx");
  EXPECT_EQ(match.kind, MatchKind::exact);
  EXPECT_NE(match.words.find("joined at 10 Gb/s, can do 25"), std::string::npos) << match.words;
  nic.name = "";
  match = match_nic(nic, library());
  EXPECT_EQ(match.id, "nic-10gbase-t");
  EXPECT_EQ(match.kind, MatchKind::nearest);
  nic.gigabits = 0;
  EXPECT_EQ(match_nic(nic, library()).kind, MatchKind::none);
  nic.kind = NicKind::infiniband;
  nic.gigabits = 200;
  EXPECT_EQ(match_nic(nic, library()).id, "nic-infiniband-hdr");
  nic.kind = NicKind::thunderbolt;
  nic.gigabits = 20;
  EXPECT_EQ(match_nic(nic, library()).id, "nic-usb4");
}

TEST(MatchDisk, ByClassGenerationAndSize) {
  FoundDisk disk;
  disk.size = kGB * 2000;
  disk.link.generation_max = 4;
  EXPECT_EQ(match_disk(disk, library()).id, "nvme-gen4-2tb");
  disk.link.generation_max = 3;
  EXPECT_EQ(match_disk(disk, library()).id, "nvme-gen3-1tb");
  disk.bus = DiskBus::sata;
  disk.rotates = true;
  EXPECT_EQ(match_disk(disk, library()).id, "hdd-8tb");
  disk.bus = DiskBus::virtual_disk;
  EXPECT_EQ(match_disk(disk, library()).kind, MatchKind::none);
}

}  // namespace
}  // namespace oblea
