// The processor, from /proc/cpuinfo.
#pragma once

#include "hardware/found_machine.hpp"
#include "probe/machine_root.hpp"

namespace oblea {

// Cores are counted as pairs of "physical id" and "core id"; where the kernel gives none (ARM), a thread is a core.
void find_cpu(const MachineRoot& root, FoundMachine& found);

}  // namespace oblea
