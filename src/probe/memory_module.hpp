// MemoryModule: one socket for RAM as the firmware describes it (SMBIOS, structure of type 17).
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "units/quantity.hpp"

namespace oblea {

struct MemoryModule {
  Bytes size{};          // 0: the socket is empty
  std::string kind;      // "ddr4", "ddr5", "lpddr5"; empty: another
  double transfers = 0;  // MT/s as configured, else as rated; 0: not said
};

// Offsets by the SMBIOS specification 3.7 (7.18): size at 0x0C in MiB (bit 15: in KiB; 0x7FFF: see 0x1C), type at 0x12,
// rated speed at 0x15, configured speed at 0x20. Nothing where the bytes are no such structure.
std::optional<MemoryModule> parse_memory_module(std::string_view raw);

}  // namespace oblea
