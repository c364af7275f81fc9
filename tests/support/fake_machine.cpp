#include "support/fake_machine.hpp"

#include <cstdlib>
#include <filesystem>

#include <fmt/core.h>

#include "probe/find_machine.hpp"

namespace oblea::test {

namespace fs = std::filesystem;

FakeMachine::FakeMachine() { file("/proc/sys/kernel/hostname", "desk\n"); }

FakeMachine::~FakeMachine() {
  if (has_nvml_) ::unsetenv("OBLEA_FAKE_NVML");
}

FakeMachine& FakeMachine::file(const std::string& path, const std::string& text) {
  folder_.write(path.substr(1), text);
  return *this;
}

FakeMachine& FakeMachine::link(const std::string& path, const std::string& target) {
  const fs::path at = folder_.path(path.substr(1));
  fs::create_directories(at.parent_path());
  fs::create_symlink(fs::path(folder_.path(target.substr(1))).lexically_relative(fs::canonical(at.parent_path())), at);
  return *this;
}

FakeMachine& FakeMachine::cpu(const std::string& name, const std::string& vendor, int family, int model, int sockets,
                              int cores, const std::string& flags) {
  std::string text;
  int processor = 0;
  for (int thread = 0; thread < 2; ++thread) {
    for (int socket = 0; socket < sockets; ++socket) {
      for (int core = 0; core < cores; ++core) {
        text += fmt::format(
            "processor\t: {}\nvendor_id\t: {}\ncpu family\t: {}\nmodel\t\t: {}\nmodel name\t: {}\nphysical id\t: {}\n"
            "core id\t\t: {}\nflags\t\t: {}\n\n",
            processor++, vendor, family, model, name, socket, core, flags);
      }
    }
  }
  return file("/proc/cpuinfo", text);
}

FakeMachine& FakeMachine::memory(double gib) {
  return file("/proc/meminfo", fmt::format("MemTotal:       {:.0f} kB\nMemFree:        1000 kB\n", gib * 1048576));
}

FakeMachine& FakeMachine::board(const std::string& vendor, const std::string& product, const std::string& board) {
  file("/sys/class/dmi/id/sys_vendor", vendor + "\n");
  file("/sys/class/dmi/id/product_name", product + "\n");
  return file("/sys/class/dmi/id/board_name", board + "\n");
}

FakeMachine& FakeMachine::pci(const std::string& address, const std::string& vendor, const std::string& device,
                              const std::string& class_code, const FakeLink& card, const FakeLink& slot,
                              const std::string& revision) {
  const std::string port = "/sys/devices/pci0000:00/0000:00:" + address.substr(5, 2) + ".0";
  const std::string folder = port + "/" + address;
  for (const auto& [path, side] : {std::pair(port, slot), std::pair(folder, card)}) {
    file(path + "/current_link_speed", side.speed_now + "\n");
    file(path + "/max_link_speed", side.speed_max + "\n");
    file(path + "/current_link_width", fmt::format("{}\n", side.lanes_now));
    file(path + "/max_link_width", fmt::format("{}\n", side.lanes_max));
  }
  file(folder + "/vendor", vendor + "\n");
  file(folder + "/device", device + "\n");
  file(folder + "/class", class_code + "\n");
  file(folder + "/revision", revision + "\n");
  return link("/sys/bus/pci/devices/" + address, folder);
}

FakeMachine& FakeMachine::nic(const std::string& interface, const std::string& address, const std::string& driver,
                              int megabits) {
  const std::string function = "/sys/devices/pci0000:00/0000:00:" + address.substr(5, 2) + ".0/" + address;
  const std::string folder = function + "/net/" + interface;
  file(folder + "/carrier", megabits > 0 ? "1\n" : "0\n");
  file(folder + "/speed", fmt::format("{}\n", megabits > 0 ? megabits : -1));
  file(folder + "/type", "1\n");
  link(folder + "/device", function);
  fs::create_directories(folder_.path("sys/bus/pci/drivers/" + driver));
  link(function + "/driver", "/sys/bus/pci/drivers/" + driver);
  return link("/sys/class/net/" + interface, folder);
}

FakeMachine& FakeMachine::nvml(const std::string& lines) {
  ::setenv("OBLEA_FAKE_NVML", nvml_folder_.write("table", lines).c_str(), 1);
  has_nvml_ = true;
  return *this;
}

std::string FakeMachine::nvml_path() const { return has_nvml_ ? OBLEA_FAKE_NVML_LIBRARY : ""; }

FoundMachine FakeMachine::find() const { return find_machine(root(), nvml_path()); }

void make_two_3090(FakeMachine& machine) {
  const FakeLink resting{"2.5 GT/s PCIe", "16.0 GT/s PCIe", 8, 16}, slot{"2.5 GT/s PCIe", "16.0 GT/s PCIe", 8, 8};
  machine.cpu("AMD Ryzen 9 5900X 12-Core Processor", "AuthenticAMD", 25, 33, 1, 12)
      .memory(62.7)
      .board("ASUS", "System Product Name", "ROG STRIX X570-E GAMING")
      .file("/etc/os-release", "PRETTY_NAME=\"Ubuntu 24.04.1 LTS\"\n")
      .pci("0000:0a:00.0", "0x10de", "0x2204", "0x030000", resting, slot)
      .pci("0000:0b:00.0", "0x10de", "0x2204", "0x030000", resting, slot)
      .pci("0000:05:00.0", "0x8086", "0x15f3", "0x020000", {}, {})
      .nic("enp5s0", "0000:05:00.0", "igc", 2500)
      .nvml(
          "driver 550.54.14\n"
          "gpu NVIDIA GeForce RTX 3090|25769803776|00000000:0A:00.0|220410DE|1|4|8|16|280000|350000|-|-\n"
          "gpu NVIDIA GeForce RTX 3090|25769803776|00000000:0B:00.0|220410DE|1|4|8|16|280000|350000|-|-\n");
}

void make_eight_h100(FakeMachine& machine) {
  const FakeLink link{"32.0 GT/s PCIe", "32.0 GT/s PCIe", 16, 16};
  machine.cpu("Intel(R) Xeon(R) Platinum 8480+", "GenuineIntel", 6, 143, 2, 56)
      .memory(2015.5)
      .board("Supermicro", "SYS-821GE-TNHR", "X13DEG-OAD");
  std::string lines = "driver 550.90.07\n";
  for (int i = 0; i < 8; ++i) {
    machine.pci(fmt::format("0000:{}8:00.0", i + 1), "0x10de", "0x2330", "0x030200", link, link);
    lines += fmt::format(
        "gpu NVIDIA H100 80GB HBM3|85520809984|00000000:{}8:00.0|233010DE|5|5|16|16|700000|700000|0|18\n", i + 1);
    for (int j = 0; j < 8; ++j) lines += fmt::format("peer {} {} 2\n", i, j);
  }
  machine.nvml(lines)
      .file("/sys/class/infiniband/mlx5_0/ports/1/rate", "200 Gb/sec (4X HDR)\n")
      .file("/sys/class/infiniband/mlx5_0/ports/1/state", "4: ACTIVE\n")
      .file("/sys/class/infiniband/mlx5_0/ports/1/link_layer", "InfiniBand\n");
}

}  // namespace oblea::test
