// The host profile that stands for a found box: by its product's name, by its processor, by the board's chip set.
#pragma once

#include <vector>

#include "hardware/found_machine.hpp"
#include "hardware/library.hpp"
#include "study/match_part.hpp"

namespace oblea {

// Exact: the firmware calls the box by the profile's name (DGX Spark, Raspberry Pi 5), or the processor is the
// profile's and the board carries its chip set or model ("X570"). Nearest: the likest host of the same maker's
// processors that takes the cards; the words say what differs. None: no profile is like it, or the only one that is has
// more memory than this box.
PartMatch match_host(const FoundMachine& found, const std::vector<const Device*>& cards, const ProfileLibrary& library);

}  // namespace oblea
