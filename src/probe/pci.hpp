// PCI functions below a root: who they are and how wide their way to the processor is.
#pragma once

#include <string>
#include <vector>

#include "hardware/found_machine.hpp"
#include "probe/machine_root.hpp"

namespace oblea {

struct PciFunction {
  std::string address;  // "0000:0a:00.0"
  std::string id;       // "10de:2204"
  int revision = 0;
  int class_code = 0;  // 0x030000: VGA; 0x030200: 3D; 0x120000: accelerator
};

std::vector<PciFunction> list_pci(const MachineRoot& root);

// The function that a folder of /sys belongs to ("/sys/class/net/eth0/device"); an empty id where it is on no PCI bus.
PciFunction read_pci(const MachineRoot& root, const std::string& folder);

// Least generation and width of the function's own link and of every bridge above it.
// Example: a gen4 x16 card (16.0 GT/s, x16) on a gen3 x4 port (8.0 GT/s, x4) is at most gen3 x4.
FoundLink read_link(const MachineRoot& root, const std::string& folder);

// "16.0 GT/s PCIe" is generation 4; 0 where it is none.
int pcie_generation(const std::string& speed);

// What this machine's own tables (pci.ids, amdgpu.ids) call the function, else ours; "" where none knows it.
std::string name_pci(const MachineRoot& root, const PciFunction& function);

}  // namespace oblea
