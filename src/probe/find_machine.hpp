// find_machine: everything that is plugged in here, and what could not be seen.
#pragma once

#include <string>

#include "hardware/found_machine.hpp"

namespace oblea {

// `root` is "/" for this machine, or a folder with the same tree. `nvml_library` is a path, or the bare name of the
// system's own ("libnvidia-ml.so.1"), which is asked about this machine only. Never fails: what is missing is in
// `unseen`. Needs neither root nor a GPU, writes nothing.
FoundMachine find_machine(const std::string& root, const std::string& nvml_library);

}  // namespace oblea
