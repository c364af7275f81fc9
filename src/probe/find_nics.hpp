// Network: ports with a plug, their driver and what they negotiated.
#pragma once

#include "hardware/found_machine.hpp"
#include "probe/machine_root.hpp"

namespace oblea {

// Leaves out what has no hardware behind it (bridges, containers' pairs) and Wi-Fi, which no cluster is built on.
void find_nics(const MachineRoot& root, FoundMachine& found);

}  // namespace oblea
