// Names of GPUs and network chips by PCI id, for machines whose driver does not tell them.
#pragma once

#include <string>
#include <string_view>

namespace oblea {

// "10de:2204" is "NVIDIA GeForce RTX 3090". AMD sells one chip as several cards and tells them by the revision:
// "1002:744c" with revision 0xc8 is "AMD Radeon RX 7900 XTX". Empty: not in the table. Sources: the PCI ID project's
// pci.ids (2023-04-10, later ids from the edition of 2025) and libdrm's amdgpu.ids (2025).
std::string pci_name(std::string_view pci_id, int revision);

}  // namespace oblea
