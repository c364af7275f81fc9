// GPUs: from NVML where it answers, from /sys and the driver's own files where it does not.
#pragma once

#include "hardware/found_machine.hpp"
#include "probe/machine_root.hpp"

namespace oblea {

// Fills `gpus`, `nvidia_driver` and what could not be seen. Integrated graphics is left out: it has no memory of its
// own, and the boxes that are used for it (Strix Halo, Spark) are found by their processor.
void find_gpus(const MachineRoot& root, const std::vector<std::string>& nvml_libraries, FoundMachine& found);

}  // namespace oblea
