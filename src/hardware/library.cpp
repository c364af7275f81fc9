#include "hardware/library.hpp"

namespace oblea {

const PcieLink* find_pcie(const ProfileLibrary& library, int generation, int lanes) {
  for (const PcieLink& link : library.pcie_links) {
    if (link.generation == generation && link.lanes == lanes) return &link;
  }
  return nullptr;
}

}  // namespace oblea
