// FoundMachine: what is plugged in here, as the operating system and the drivers tell it. Plain data; `probe` fills it,
// `study` matches it to profiles. Texts are safe to print; what could not be read is 0, empty or absent.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "units/quantity.hpp"

namespace oblea {

// A PCIe link from the device to the processor: the least of every piece on the way, so that a slot, a riser or a
// switch that narrows it counts. Cards at rest drop the generation and keep the lanes.
struct FoundLink {
  int generation_now = 0;
  int generation_max = 0;
  int lanes_now = 0;
  int lanes_max = 0;
};

struct FoundGpu {
  std::string name;         // "NVIDIA GeForce RTX 3090"; empty: neither a driver nor a table names it
  std::string vendor;       // "nvidia", "amd", "intel"
  std::string pci_address;  // "0000:0a:00.0"
  std::string pci_id;       // "10de:2204"
  std::string named_by;     // "NVML", "driver", "pci id"
  std::optional<Bytes> memory;
  FoundLink link;
  std::optional<Watts> power_limit;
  std::optional<Watts> power_limit_default;
  bool mig = false;               // cut into instances
  int nvlinks = 0;                // active
  std::vector<int> nvlink_peers;  // indices of GPUs joined by NVLink
  std::vector<int> pcie_peers;    // indices of GPUs that it reads without going through host memory
};

struct FoundCpu {
  std::string name;
  std::string vendor;  // "amd", "intel", "arm"
  int family = 0;      // x86: CPUID family and model
  int model = 0;
  int sockets = 0;
  int cores = 0;  // of all sockets
  int threads = 0;
};

struct FoundMemory {
  Bytes total{};         // that the kernel hands out
  Bytes installed{};     // that is plugged in; 0: not seen
  std::string kind;      // "ddr4", "ddr5", "lpddr5"
  int modules = 0;       // filled sockets
  int channels = 0;      // with a module
  double transfers = 0;  // MT/s, as configured
};

enum class NicKind { ethernet, infiniband, thunderbolt };

struct FoundNic {
  std::string interface;  // "enp5s0", "ibp1s0"
  NicKind kind = NicKind::ethernet;
  std::string driver;
  std::string name;    // of the chip; empty: no table names it
  std::string pci_id;  // empty: on USB or virtual
  bool up = false;
  double gigabits = 0;  // negotiated; 0: not seen or no cable
  bool rdma = false;
  int bonded = 1;  // ports of its bond
};

enum class DiskBus { nvme, sata, virtual_disk, memory_card };

struct FoundDisk {
  std::string name;  // "nvme0n1"
  std::string model;
  DiskBus bus = DiskBus::nvme;
  bool rotates = false;
  Bytes size{};
  FoundLink link;
};

struct FoundSystem {
  std::string host_name;
  std::string os;       // "Debian GNU/Linux 12 (bookworm)"
  std::string kernel;   // "6.1.0-18-amd64"
  std::string vendor;   // of the box or board: "ASUSTeK COMPUTER INC."
  std::string product;  // "NVIDIA_DGX_Spark"; empty where the maker left the field blank
  std::string board;    // "ROG STRIX X570-E GAMING"
  std::string device_tree_model;
  std::string container;  // "docker", "podman", "kubernetes", "lxc"
  bool wsl = false;
  bool virtual_machine = false;
  std::optional<Bytes> memory_limit;  // of the control group
};

// Something that could not be seen, and why.
struct Unseen {
  std::string what;
  std::string why;
};

struct FoundMachine {
  FoundSystem system;
  FoundCpu cpu;
  FoundMemory memory;
  std::vector<FoundGpu> gpus;
  std::string nvidia_driver;
  std::vector<FoundNic> nics;
  std::vector<FoundDisk> disks;
  std::vector<Unseen> unseen;
};

}  // namespace oblea
