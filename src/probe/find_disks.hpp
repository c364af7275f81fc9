// Disks: what model files can rest on.
#pragma once

#include "hardware/found_machine.hpp"
#include "probe/machine_root.hpp"

namespace oblea {

// NVMe, SATA and virtual disks; loop devices, RAM disks, optical drives and whatever is below 8 GB are left out.
void find_disks(const MachineRoot& root, FoundMachine& found);

}  // namespace oblea
