// The micro-architecture of an x86 processor, as profiles name it.
#pragma once

#include <string>

#include "hardware/found_machine.hpp"

namespace oblea {

// Micro-architecture by the CPUID family and model: {amd, 25, 33} (Ryzen 5000) is "zen3". Empty: not in the table.
// Source: the kernel's lists (arch/x86/include/asm/intel-family.h; AMD families 17h, 19h, 1Ah), 2025.
std::string cpu_architecture(const FoundCpu& cpu);

}  // namespace oblea
