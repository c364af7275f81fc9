// RAM: how much, of what kind, in how many channels, as far as an ordinary user may know.
#pragma once

#include "hardware/found_machine.hpp"
#include "probe/machine_root.hpp"

namespace oblea {

// Total from /proc/meminfo; installed from the kernel's list of memory blocks; kind and channels from EDAC where the
// board has ECC, speed from the firmware's tables where this user may read them (root).
void find_memory(const MachineRoot& root, FoundMachine& found);

}  // namespace oblea
