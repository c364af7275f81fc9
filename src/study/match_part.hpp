// Matching one found part to a profile: exactly, by a stand-in that is named as one, or not at all.
#pragma once

#include <string>

#include "hardware/found_machine.hpp"
#include "hardware/library.hpp"

namespace oblea {

enum class MatchKind { exact, nearest, none };

struct PartMatch {
  MatchKind kind = MatchKind::none;
  std::string found;   // as the machine calls it
  std::string id;      // profile that stands for it; empty for none
  std::string words;   // how the two differ, or what to do; may be empty
  std::string likest;  // profile to start from when writing one, where this one is not exact; may be empty
};

// Memory that a card with error correction inside GDDR6 still shows: 15 of 16 parts, less what the driver keeps (L40S:
// 46,068 of 49,152 MiB = 0.937; P40: 22,919 of 24,576 MiB = 0.933).
inline constexpr double kLeastMemorySeen = 0.92;
inline constexpr double kMostMemorySeen = 1.02;

// Exact: the same name and the same memory, which tells a 3080 with 10 GB from one with 12. Nearest: a card of the same
// model number with no more memory than was found, so that "fits" stays true. None: everything else, with the likest
// profile named.
PartMatch match_gpu(const FoundGpu& gpu, const ProfileLibrary& library);

// A CPU by name and number of sockets. Nearest is never a stand-in here: the host as a whole is chosen by match_host.
PartMatch match_cpu(const FoundCpu& cpu, const ProfileLibrary& library);

// By chip where its name says which, else by plug and negotiated speed.
PartMatch match_nic(const FoundNic& nic, const ProfileLibrary& library);

// By kind, PCIe generation and size.
PartMatch match_disk(const FoundDisk& disk, const ProfileLibrary& library);

}  // namespace oblea
