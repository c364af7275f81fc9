// The box itself: operating system, maker and product, and what stands between us and the hardware (WSL, a container, a
// hypervisor).
#pragma once

#include "hardware/found_machine.hpp"
#include "probe/machine_root.hpp"

namespace oblea {

void find_system(const MachineRoot& root, FoundMachine& found);

}  // namespace oblea
