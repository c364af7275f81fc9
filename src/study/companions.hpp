// What a scenario puts beside its model on the first card, in bytes.
#pragma once

#include "placement/companions.hpp"
#include "study/scenario.hpp"

namespace oblea {

// The draft model holds its own weights, the cache of the same users and context in 16 bit, and its own buffers; the
// vision tower and the memory of one picture at the ceiling of image tokens count unless pictures are encoded on the
// host.
Companions companions_of(const Scenario& scenario);

}  // namespace oblea
