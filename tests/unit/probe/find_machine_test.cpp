#include "probe/find_machine.hpp"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <algorithm>
#include <filesystem>

#include "support/fake_machine.hpp"

namespace oblea {
namespace {

using test::FakeLink;
using test::FakeMachine;

// Why something could not be seen; "" where nothing of that name is missing.
std::string why_unseen(const FoundMachine& found, const std::string& what) {
  for (const Unseen& unseen : found.unseen) {
    if (unseen.what.find(what) != std::string::npos) return unseen.why;
  }
  return "";
}

bool holds(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

TEST(FindMachine, ReadsTwoCardsOnAnX570Board) {
  FakeMachine machine;
  make_two_3090(machine);
  const FoundMachine found = machine.find();
  EXPECT_EQ(found.system.host_name, "desk");
  EXPECT_EQ(found.system.os, "Ubuntu 24.04.1 LTS");
  EXPECT_EQ(found.system.vendor, "ASUS");
  EXPECT_EQ(found.system.product, "") << "the maker left it blank";
  EXPECT_EQ(found.system.board, "ROG STRIX X570-E GAMING");
  EXPECT_EQ(found.cpu.name, "AMD Ryzen 9 5900X 12-Core Processor");
  EXPECT_EQ(found.cpu.vendor, "amd");
  EXPECT_EQ(found.cpu.sockets, 1);
  EXPECT_EQ(found.cpu.cores, 12);
  EXPECT_EQ(found.cpu.threads, 24);
  EXPECT_NEAR(found.memory.total / kGiB, 62.7, 1e-5);
  EXPECT_EQ(found.nvidia_driver, "550.54.14");
  ASSERT_EQ(found.gpus.size(), 2u) << "once each, though NVML and /sys both know them";
  const FoundGpu& gpu = found.gpus[1];
  EXPECT_EQ(gpu.name, "NVIDIA GeForce RTX 3090");
  EXPECT_EQ(gpu.named_by, "NVML");
  EXPECT_EQ(gpu.pci_address, "0000:0b:00.0");
  EXPECT_EQ(gpu.pci_id, "10de:2204");
  EXPECT_EQ(gpu.memory, kGiB * 24);
  EXPECT_EQ(gpu.link.generation_now, 1) << "at rest";
  EXPECT_EQ(gpu.link.generation_max, 4);
  EXPECT_EQ(gpu.link.lanes_now, 8);
  EXPECT_EQ(gpu.link.lanes_max, 8) << "the card has 16, its port 8";
  EXPECT_EQ(gpu.power_limit, Watts(280));
  EXPECT_EQ(gpu.power_limit_default, Watts(350));
  EXPECT_FALSE(gpu.mig);
  ASSERT_EQ(found.nics.size(), 1u);
  EXPECT_EQ(found.nics[0].name, "Intel I225 2.5GbE");
  EXPECT_EQ(found.nics[0].driver, "igc");
  EXPECT_EQ(found.nics[0].gigabits, 2.5);
}

TEST(FindMachine, ReadsAnEightGpuServer) {
  FakeMachine machine;
  make_eight_h100(machine);
  const FoundMachine found = machine.find();
  EXPECT_EQ(found.cpu.sockets, 2);
  EXPECT_EQ(found.cpu.cores, 112);
  ASSERT_EQ(found.gpus.size(), 8u);
  for (const FoundGpu& gpu : found.gpus) {
    EXPECT_EQ(gpu.name, "NVIDIA H100 80GB HBM3");
    EXPECT_EQ(gpu.nvlinks, 18);
    EXPECT_EQ(gpu.nvlink_peers.size(), 7u);
    EXPECT_EQ(gpu.link.generation_max, 5);
  }
  ASSERT_EQ(found.nics.size(), 1u);
  EXPECT_EQ(found.nics[0].kind, NicKind::infiniband);
  EXPECT_EQ(found.nics[0].gigabits, 200);
  EXPECT_TRUE(found.nics[0].rdma);
}

TEST(FindMachine, AnEmptyTreeIsNoError) {
  const test::TemporaryFolder nothing;
  const FoundMachine found = find_machine(nothing.path(), "libnvidia-ml.so.1");
  EXPECT_TRUE(found.gpus.empty());
  EXPECT_TRUE(found.nics.empty());
  EXPECT_EQ(found.cpu.threads, 0);
  for (const char* what : {"processor", "size of the RAM", "speed and channels", "board", "network", "disks"})
    EXPECT_NE(why_unseen(found, what), "") << what;
  EXPECT_EQ(why_unseen(found, "NVIDIA"), "") << "nothing says that there should be one";
}

TEST(FindMachine, ACopiedTreeIsNeverMixedWithThisMachinesDriver) {
  FakeMachine machine;
  machine.pci("0000:01:00.0", "0x10de", "0x2684", "0x030000", {}, {});
  const FoundMachine found = find_machine(machine.root(), "libnvidia-ml.so.1");
  ASSERT_EQ(found.gpus.size(), 1u);
  EXPECT_EQ(found.gpus[0].name, "NVIDIA GeForce RTX 4090");
  EXPECT_EQ(found.gpus[0].named_by, "pci id");
  EXPECT_TRUE(holds(why_unseen(found, "NVIDIA"), "no NVIDIA driver library"));
}

TEST(FindMachine, ADriverThatDoesNotMatchItsLibraryIsExplained) {
  FakeMachine machine;
  machine.pci("0000:0a:00.0", "0x10de", "0x2204", "0x030000", {}, {})
      .file("/proc/driver/nvidia/version",
            "NVRM version: NVIDIA UNIX x86_64 Kernel Module  535.183.01  Sun May 12 19:39:15 UTC 2024\n")
      .file("/proc/driver/nvidia/gpus/0000:0a:00.0/information",
            "Model: \t\t NVIDIA GeForce RTX 3090\nIRQ:   \t\t 122\n")
      .nvml("init 18\n");
  const FoundMachine found = machine.find();
  ASSERT_EQ(found.gpus.size(), 1u);
  EXPECT_EQ(found.gpus[0].name, "NVIDIA GeForce RTX 3090");
  EXPECT_EQ(found.gpus[0].named_by, "driver");
  EXPECT_FALSE(found.gpus[0].memory);
  const std::string why = why_unseen(found, "NVIDIA");
  EXPECT_TRUE(holds(why, "Driver/library version mismatch")) << why;
  EXPECT_TRUE(holds(why, "535.183.01")) << why;
  EXPECT_TRUE(holds(why, "restart the machine")) << why;
}

TEST(FindMachine, ALibraryWithoutADriverIsExplained) {
  FakeMachine machine;
  machine.nvml("init 9\n");
  EXPECT_TRUE(holds(why_unseen(machine.find(), "NVIDIA"), "module nvidia is not loaded"));
}

TEST(FindMachine, ALostGpuIsNamedAndTheOthersAreRead) {
  FakeMachine machine;
  machine.nvml("gpu lost\ngpu NVIDIA GeForce RTX 4090|25757220864|00000000:01:00.0|268410DE|4|4|16|16\n");
  const FoundMachine found = machine.find();
  ASSERT_EQ(found.gpus.size(), 1u);
  EXPECT_EQ(found.gpus[0].name, "NVIDIA GeForce RTX 4090");
  EXPECT_NE(why_unseen(found, "NVIDIA GPU 0"), "");
}

TEST(FindMachine, AMigCardAndPeersOverPcieAreSeen) {
  FakeMachine machine;
  machine.nvml(
      "gpu NVIDIA A100-SXM4-80GB|85899345920|00000000:01:00.0|20B210DE|4|4|16|16|400000|400000|1|12\n"
      "gpu NVIDIA A100-SXM4-80GB|85899345920|00000000:02:00.0|20B210DE|4|4|16|16|400000|400000|0|12\n"
      "peer 0 1 0\n");
  const FoundMachine found = machine.find();
  ASSERT_EQ(found.gpus.size(), 2u);
  EXPECT_TRUE(found.gpus[0].mig);
  EXPECT_FALSE(found.gpus[1].mig);
  EXPECT_EQ(found.gpus[0].pcie_peers, std::vector<int>{1});
  EXPECT_TRUE(found.gpus[1].pcie_peers.empty());
}

// An AMD card hangs below a switch of its own (gen4 x16); the slot is above it (gen3 x8).
TEST(FindMachine, ReadsAnAmdCardThroughItsOwnSwitch) {
  FakeMachine machine;
  const std::string card = "/sys/devices/pci0000:00/0000:00:01.1/0000:01:00.0/0000:02:00.0/0000:03:00.0";
  for (const char* speed : {"/current_link_speed", "/max_link_speed"}) {
    machine.file(card + speed, "16.0 GT/s PCIe\n");
    machine.file("/sys/devices/pci0000:00/0000:00:01.1" + std::string(speed), "8.0 GT/s PCIe\n");
  }
  machine.file(card + "/current_link_width", "16\n")
      .file("/sys/devices/pci0000:00/0000:00:01.1/0000:01:00.0/current_link_width", "8\n")
      .file("/sys/devices/pci0000:00/0000:00:01.1/0000:01:00.0/max_link_width", "255\n")
      .file(card + "/vendor", "0x1002\n")
      .file(card + "/device", "0x744c\n")
      .file(card + "/revision", "0xc8\n")
      .file(card + "/class", "0x030000\n")
      .file(card + "/mem_info_vram_total", "25753026560\n")
      .link("/sys/bus/pci/devices/0000:03:00.0", card);
  const FoundMachine found = machine.find();
  ASSERT_EQ(found.gpus.size(), 1u);
  const FoundGpu& gpu = found.gpus[0];
  EXPECT_EQ(gpu.name, "AMD Radeon RX 7900 XTX");
  EXPECT_EQ(gpu.vendor, "amd");
  EXPECT_EQ(gpu.memory, Bytes(25753026560));
  EXPECT_EQ(gpu.link.generation_max, 3);
  EXPECT_EQ(gpu.link.lanes_now, 8);
  EXPECT_EQ(gpu.link.lanes_max, 0) << "255 stands for unknown";
}

TEST(FindMachine, TheMachinesOwnTablesNameWhatOursDoNot) {
  FakeMachine machine;
  machine.pci("0000:03:00.0", "0x1002", "0x7590", "0x030000", {}, {}, "0xc0")
      .pci("0000:04:00.0", "0x10de", "0x2b87", "0x030000", {}, {})
      .file("/usr/share/libdrm/amdgpu.ids", "# a list\n1.0.0\n7590,\tC0,\tAMD Radeon RX 9060 XT\n")
      .file("/usr/share/misc/pci.ids",
            "1002  Advanced Micro Devices\n\t2b87  not this one\n10de  NVIDIA Corporation\n"
            "\t2b87  GB202 [GeForce RTX 5090 D]\n\t\t10de 1234  a board\n");
  const FoundMachine found = machine.find();
  ASSERT_EQ(found.gpus.size(), 2u);
  EXPECT_EQ(found.gpus[0].name, "AMD Radeon RX 9060 XT");
  EXPECT_EQ(found.gpus[1].name, "GeForce RTX 5090 D");
  EXPECT_NE(why_unseen(found, "memory of the GPU at 0000:03:00.0"), "");
}

TEST(FindMachine, ScreensWithoutMemoryOfTheirOwnAreNoCards) {
  FakeMachine machine;
  machine.pci("0000:00:02.0", "0x8086", "0x4680", "0x030000", {}, {})
      .pci("0000:06:00.0", "0x1a03", "0x2000", "0x030000", {}, {})  // a server's console
      .pci("0000:07:00.0", "0x1002", "0x164e", "0x030000", {}, {})
      .file("/sys/bus/pci/devices/0000:07:00.0/mem_info_vram_total", "536870912\n");
  EXPECT_TRUE(machine.find().gpus.empty());
}

TEST(FindMachine, ReadsARaspberryPi) {
  FakeMachine machine;
  machine
      .file("/proc/cpuinfo",
            "processor\t: 0\nCPU implementer\t: 0x41\nCPU part\t: 0xd0b\n\nprocessor\t: 1\nprocessor\t: 2\n"
            "processor\t: 3\n\nModel\t\t: Raspberry Pi 5 Model B Rev 1.0\n")
      .file("/proc/device-tree/model", std::string("Raspberry Pi 5 Model B Rev 1.0\0", 31))
      .memory(7.87)
      .file("/sys/block/mmcblk0/size", "62333952\n");
  const FoundMachine found = machine.find();
  EXPECT_EQ(found.system.device_tree_model, "Raspberry Pi 5 Model B Rev 1.0");
  EXPECT_EQ(found.cpu.vendor, "arm");
  EXPECT_EQ(found.cpu.cores, 4);
  EXPECT_EQ(found.cpu.sockets, 1);
  ASSERT_EQ(found.disks.size(), 1u);
  EXPECT_EQ(found.disks[0].bus, DiskBus::memory_card);
}

TEST(FindMachine, KnowsWslContainersAndVirtualMachines) {
  FakeMachine machine;
  machine.file("/proc/sys/kernel/osrelease", "5.15.153.1-microsoft-standard-WSL2\n")
      .file("/.dockerenv", "")
      .cpu("AMD EPYC", "AuthenticAMD", 25, 17, 1, 2, "fpu hypervisor");
  const FoundSystem system = machine.find().system;
  EXPECT_TRUE(system.wsl);
  EXPECT_TRUE(system.virtual_machine);
  EXPECT_EQ(system.container, "docker");
}

TEST(FindMachine, TakesTheLowestMemoryLimitOnTheWayUp) {
  FakeMachine machine;
  machine.file("/proc/self/cgroup", "0::/user.slice/job\n")
      .file("/sys/fs/cgroup/user.slice/job/memory.max", "max\n")
      .file("/sys/fs/cgroup/user.slice/memory.max", "17179869184\n");
  EXPECT_EQ(machine.find().system.memory_limit, kGiB * 16);
  FakeMachine older;
  older.file("/sys/fs/cgroup/memory/memory.limit_in_bytes", "9223372036854771712\n");
  EXPECT_FALSE(older.find().system.memory_limit) << "the old way of saying none";
}

TEST(FindMachine, ReadsMemoryAsFarAsItMay) {
  FakeMachine machine;
  machine.memory(125.6).file("/sys/devices/system/memory/block_size_bytes", "80000000\n");  // 2 GiB
  for (int i = 0; i < 65; ++i)
    machine.file("/sys/devices/system/memory/memory" + std::to_string(i) + "/state", i < 64 ? "online\n" : "offline\n");
  for (int i = 0; i < 4; ++i) {
    const std::string dimm = "/sys/devices/system/edac/mc/mc0/dimm" + std::to_string(i);
    machine.file(dimm + "/size", i == 3 ? "0\n" : "32768\n")
        .file(dimm + "/dimm_mem_type", "Registered-DDR4\n")
        .file(dimm + "/dimm_location", "channel " + std::to_string(i / 2) + " slot " + std::to_string(i % 2) + "\n");
  }
  const FoundMachine found = machine.find();
  EXPECT_EQ(found.memory.installed, kGiB * 128);
  EXPECT_EQ(found.memory.kind, "ddr4");
  EXPECT_EQ(found.memory.modules, 3) << "the fourth socket is empty";
  EXPECT_EQ(found.memory.channels, 2);
  EXPECT_EQ(found.memory.transfers, 0);
  EXPECT_NE(why_unseen(found, "speed of the RAM"), "");
}

// The program may run as root, which no mode of a file keeps out: then the speed is read.
TEST(FindMachine, SaysThatTheFirmwaresTablesNeedRoot) {
  FakeMachine machine;
  std::string raw(0x28, '\0');
  raw[0] = 17;
  raw[1] = 0x28;
  raw[0x0D] = 0x40;  // 16,384 MiB
  raw[0x12] = 0x1A;
  raw[0x20] = '\x80';
  raw[0x21] = 0x0C;  // 3,200 MT/s
  machine.file("/sys/firmware/dmi/entries/17-0/raw", raw);
  const std::string path = machine.root() + "/sys/firmware/dmi/entries/17-0/raw";
  std::filesystem::permissions(path, std::filesystem::perms::none);
  const bool root = ::access(path.c_str(), R_OK) == 0;
  const FoundMachine found = machine.find();
  if (root) {
    EXPECT_EQ(found.memory.transfers, 3200);
    EXPECT_EQ(found.memory.kind, "ddr4");
  } else {
    EXPECT_TRUE(holds(why_unseen(found, "speed"), "needs root"));
  }
  EXPECT_EQ(found.memory.modules, root ? 1 : 0);
}

TEST(FindMachine, ReadsBondsThunderboltAndUnpluggedPorts) {
  FakeMachine machine;
  machine.pci("0000:05:00.0", "0x15b3", "0x1015", "0x020000", {}, {})
      .pci("0000:06:00.0", "0x8086", "0x1533", "0x020000", {}, {})
      .pci("0000:08:00.0", "0x8086", "0x1137", "0x0c0340", {}, {})
      .nic("enp5s0", "0000:05:00.0", "mlx5_core", 25000)
      .nic("enp6s0", "0000:06:00.0", "igb", 0)
      .nic("thunderbolt0", "0000:08:00.0", "thunderbolt-net", 20000)
      .file("/sys/class/net/bond0/bonding/slaves", "enp5s0 enp5s1\n")
      .link("/sys/class/net/enp5s0/master", "/sys/class/net/bond0")
      .file("/sys/class/net/docker0/speed", "10000\n");
  const FoundMachine found = machine.find();
  ASSERT_EQ(found.nics.size(), 3u) << "bond0 and docker0 have no hardware";
  EXPECT_EQ(found.nics[0].gigabits, 25);
  EXPECT_EQ(found.nics[0].bonded, 2);
  EXPECT_FALSE(found.nics[1].up);
  EXPECT_EQ(found.nics[1].gigabits, 0);
  EXPECT_EQ(found.nics[2].kind, NicKind::thunderbolt);
}

TEST(FindMachine, AVirtualPortHasNoPciId) {
  FakeMachine machine;
  const std::string device = "/sys/devices/pci0000:00/0000:00:03.0/virtio2";
  machine.file(device + "/vendor", "0x1af4\n")
      .file(device + "/device", "0x0001\n")
      .file(device + "/net/eth0/carrier", "1\n")
      .link(device + "/net/eth0/device", device)
      .link("/sys/class/net/eth0", device + "/net/eth0");
  const FoundMachine found = machine.find();
  ASSERT_EQ(found.nics.size(), 1u);
  EXPECT_EQ(found.nics[0].pci_id, "");
  EXPECT_TRUE(found.nics[0].up);
  EXPECT_EQ(found.nics[0].gigabits, 0) << "it tells no speed";
}

TEST(FindMachine, ReadsDisks) {
  FakeMachine machine;
  machine.pci("0000:04:00.0", "0x144d", "0xa80a", "0x010802", {"16.0 GT/s PCIe", "16.0 GT/s PCIe", 4, 4}, {})
      .file("/sys/block/nvme0n1/size", "3907029168\n")
      .file("/sys/block/nvme0n1/device/model", "Samsung SSD 980 PRO 2TB                 \n")
      .link("/sys/block/nvme0n1/device/device", "/sys/bus/pci/devices/0000:04:00.0")
      .file("/sys/block/sda/size", "15628053168\n")
      .file("/sys/block/sda/queue/rotational", "1\n")
      .file("/sys/block/sdb/size", "8000000\n")  // 4 GB: a stick
      .file("/sys/block/loop0/size", "800000000\n");
  const FoundMachine found = machine.find();
  ASSERT_EQ(found.disks.size(), 2u);
  EXPECT_EQ(found.disks[0].model, "Samsung SSD 980 PRO 2TB");
  EXPECT_EQ(found.disks[0].link.generation_max, 4);
  EXPECT_EQ(found.disks[0].link.lanes_now, 4);
  EXPECT_EQ(found.disks[0].size, Bytes(3907029168.0 * 512));
  EXPECT_TRUE(found.disks[1].rotates);
}

TEST(FindMachine, NamesCannotSteerATerminal) {
  FakeMachine machine;
  machine.cpu("AMD \x1b[2J Ryzen\x07", "AuthenticAMD", 25, 33, 1, 1)
      .file("/proc/sys/kernel/hostname", "desk\x1b]0;owned\x07\n")
      .board("ACME\x9b", "\x1b[31mBox", "X570\r\x08")
      .file("/sys/block/nvme0n1/size", "3907029168\n")
      .file("/sys/block/nvme0n1/device/model", "Disk\x1b[0m\n")
      .nvml("gpu NVIDIA\x1b[2J RTX 3090|25769803776|00000000:0A:00.0|220410DE|1|4|8|16\n");
  const FoundMachine found = machine.find();
  ASSERT_EQ(found.gpus.size(), 1u);
  ASSERT_EQ(found.disks.size(), 1u);
  for (const std::string& text : {found.cpu.name, found.system.host_name, found.system.vendor, found.system.product,
                                  found.system.board, found.gpus[0].name, found.disks[0].model}) {
    EXPECT_NE(text, "");
    EXPECT_TRUE(std::all_of(text.begin(), text.end(), [](char c) { return c >= 0x20 && c < 0x7f; })) << text;
  }
}

TEST(FindMachine, AFileThatIsNoLibraryIsSaidToBeNone) {
  FakeMachine machine;
  machine.pci("0000:0a:00.0", "0x10de", "0x2204", "0x030000", {}, {}).file("/libnvidia-ml.so", "not a library\n");
  const FoundMachine found = find_machine(machine.root(), machine.root() + "/libnvidia-ml.so");
  EXPECT_EQ(found.gpus.size(), 1u);
  EXPECT_NE(why_unseen(found, "NVIDIA"), "");
}

}  // namespace
}  // namespace oblea
