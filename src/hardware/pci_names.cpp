#include "hardware/pci_names.hpp"

namespace oblea {
namespace {

constexpr int kAnyRevision = -1;

struct PciName {
  const char* id;
  int revision;
  const char* name;
};

constexpr PciName kNames[] = {
    {"10de:1b06", kAnyRevision, "NVIDIA GeForce GTX 1080 Ti"},
    {"10de:1b38", kAnyRevision, "Tesla P40"},
    {"10de:1db4", kAnyRevision, "Tesla V100-PCIE-16GB"},
    {"10de:1db5", kAnyRevision, "Tesla V100-SXM2-32GB"},
    {"10de:1db6", kAnyRevision, "Tesla V100-PCIE-32GB"},
    {"10de:1e04", kAnyRevision, "NVIDIA GeForce RTX 2080 Ti"},
    {"10de:1e07", kAnyRevision, "NVIDIA GeForce RTX 2080 Ti"},
    {"10de:1eb8", kAnyRevision, "Tesla T4"},
    {"10de:2187", kAnyRevision, "NVIDIA GeForce GTX 1650 SUPER"},
    {"10de:20b0", kAnyRevision, "NVIDIA A100-SXM4-40GB"},
    {"10de:20b1", kAnyRevision, "NVIDIA A100-PCIE-40GB"},
    {"10de:20b2", kAnyRevision, "NVIDIA A100-SXM4-80GB"},
    {"10de:20b5", kAnyRevision, "NVIDIA A100 80GB PCIe"},
    {"10de:20f1", kAnyRevision, "NVIDIA A100-PCIE-40GB"},
    {"10de:2203", kAnyRevision, "NVIDIA GeForce RTX 3090 Ti"},
    {"10de:2204", kAnyRevision, "NVIDIA GeForce RTX 3090"},
    {"10de:2206", kAnyRevision, "NVIDIA GeForce RTX 3080 10GB"},
    {"10de:2207", kAnyRevision, "NVIDIA GeForce RTX 3070 Ti"},
    {"10de:2208", kAnyRevision, "NVIDIA GeForce RTX 3080 Ti"},
    {"10de:220a", kAnyRevision, "NVIDIA GeForce RTX 3080 12GB"},
    {"10de:2216", kAnyRevision, "NVIDIA GeForce RTX 3080 10GB"},
    {"10de:2230", kAnyRevision, "NVIDIA RTX A6000"},
    {"10de:2231", kAnyRevision, "NVIDIA RTX A5000"},
    {"10de:2232", kAnyRevision, "NVIDIA RTX A4500"},
    {"10de:2330", kAnyRevision, "NVIDIA H100 80GB HBM3"},
    {"10de:2331", kAnyRevision, "NVIDIA H100 PCIe"},
    {"10de:2484", kAnyRevision, "NVIDIA GeForce RTX 3070"},
    {"10de:2486", kAnyRevision, "NVIDIA GeForce RTX 3060 Ti"},
    {"10de:2488", kAnyRevision, "NVIDIA GeForce RTX 3070"},
    {"10de:2489", kAnyRevision, "NVIDIA GeForce RTX 3060 Ti"},
    {"10de:24b0", kAnyRevision, "NVIDIA RTX A4000"},
    {"10de:2503", kAnyRevision, "NVIDIA GeForce RTX 3060"},
    {"10de:2504", kAnyRevision, "NVIDIA GeForce RTX 3060"},
    {"10de:2684", kAnyRevision, "NVIDIA GeForce RTX 4090"},
    {"10de:26b1", kAnyRevision, "NVIDIA RTX 6000 Ada Generation"},
    {"10de:26b9", kAnyRevision, "NVIDIA L40S"},
    {"10de:2704", kAnyRevision, "NVIDIA GeForce RTX 4080"},
    {"10de:2717", kAnyRevision, "NVIDIA GeForce RTX 4090 Laptop GPU"},
    {"10de:2782", kAnyRevision, "NVIDIA GeForce RTX 4070 Ti"},
    {"10de:2786", kAnyRevision, "NVIDIA GeForce RTX 4070"},
    {"10de:27b8", kAnyRevision, "NVIDIA L4"},
    {"10de:2803", kAnyRevision, "NVIDIA GeForce RTX 4060 Ti"},
    {"10de:2b85", kAnyRevision, "NVIDIA GeForce RTX 5090"},
    {"10de:2c02", kAnyRevision, "NVIDIA GeForce RTX 5080"},
    {"10de:2c05", kAnyRevision, "NVIDIA GeForce RTX 5070 Ti"},
    {"10de:2d04", kAnyRevision, "NVIDIA GeForce RTX 5060 Ti"},
    {"10de:2f04", kAnyRevision, "NVIDIA GeForce RTX 5070"},
    {"1002:1586", 0xc1, "AMD Radeon 8060S"},
    {"1002:1586", 0xc2, "AMD Radeon 8050S"},
    {"1002:66a1", 0x02, "AMD Instinct MI50/MI60"},
    {"1002:66a1", 0x06, "AMD Radeon Pro VII"},
    {"1002:66af", 0xc1, "AMD Radeon VII"},
    {"1002:73bf", 0xc0, "AMD Radeon RX 6900 XT"},
    {"1002:73bf", 0xc1, "AMD Radeon RX 6800 XT"},
    {"1002:73bf", 0xc3, "AMD Radeon RX 6800"},
    {"1002:740f", 0x02, "AMD Instinct MI210"},
    {"1002:744c", 0xc8, "AMD Radeon RX 7900 XTX"},
    {"1002:744c", 0xcc, "AMD Radeon RX 7900 XT"},
    {"1002:744c", 0xce, "AMD Radeon RX 7900 GRE"},
    {"1002:74a1", kAnyRevision, "AMD Instinct MI300X"},
    {"1002:7550", 0xc0, "AMD Radeon RX 9070 XT"},
    {"1002:7550", 0xc2, "AMD Radeon RX 9070 GRE"},
    {"1002:7550", 0xc3, "AMD Radeon RX 9070"},
    {"8086:56a0", kAnyRevision, "Intel Arc A770"},
    {"8086:56a1", kAnyRevision, "Intel Arc A750"},
    {"8086:e20b", kAnyRevision, "Intel Arc B580"},
    {"8086:e20c", kAnyRevision, "Intel Arc B570"},
    {"10ec:8125", kAnyRevision, "Realtek RTL8125 2.5GbE"},
    {"10ec:8168", kAnyRevision, "Realtek RTL8111/8168 1GbE"},
    {"15b3:1003", kAnyRevision, "Mellanox ConnectX-3"},
    {"15b3:1007", kAnyRevision, "Mellanox ConnectX-3 Pro"},
    {"15b3:1013", kAnyRevision, "Mellanox ConnectX-4"},
    {"15b3:1015", kAnyRevision, "Mellanox ConnectX-4 Lx"},
    {"15b3:1017", kAnyRevision, "Mellanox ConnectX-5"},
    {"15b3:1019", kAnyRevision, "Mellanox ConnectX-5 Ex"},
    {"15b3:101b", kAnyRevision, "Mellanox ConnectX-6"},
    {"15b3:101d", kAnyRevision, "Mellanox ConnectX-6 Dx"},
    {"15b3:101f", kAnyRevision, "Mellanox ConnectX-6 Lx"},
    {"15b3:1021", kAnyRevision, "NVIDIA ConnectX-7"},
    {"15b3:1023", kAnyRevision, "NVIDIA ConnectX-8"},
    {"1d6a:07b1", kAnyRevision, "Aquantia AQC107 10GbE"},
    {"1d6a:d107", kAnyRevision, "Aquantia AQC107 10GbE"},
    {"1d6a:94c0", kAnyRevision, "Aquantia AQC113CS 10GbE"},
    {"8086:10fb", kAnyRevision, "Intel X520 (82599)"},
    {"8086:1528", kAnyRevision, "Intel X540"},
    {"8086:1533", kAnyRevision, "Intel I210 1GbE"},
    {"8086:1539", kAnyRevision, "Intel I211 1GbE"},
    {"8086:1563", kAnyRevision, "Intel X550"},
    {"8086:1572", kAnyRevision, "Intel X710"},
    {"8086:1583", kAnyRevision, "Intel XL710 40GbE"},
    {"8086:1592", kAnyRevision, "Intel E810"},
    {"8086:1593", kAnyRevision, "Intel E810"},
    {"8086:15f2", kAnyRevision, "Intel I225 2.5GbE"},
    {"8086:15f3", kAnyRevision, "Intel I225 2.5GbE"},
    {"8086:125b", kAnyRevision, "Intel I226 2.5GbE"},
    {"8086:125c", kAnyRevision, "Intel I226 2.5GbE"},
};

}  // namespace

std::string pci_name(std::string_view pci_id, int revision) {
  for (const PciName& entry : kNames) {
    if (entry.id == pci_id && (entry.revision == kAnyRevision || entry.revision == revision)) return entry.name;
  }
  return "";
}

}  // namespace oblea
