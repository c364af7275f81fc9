// What an uneven layer split is worth against an even one.
#pragma once

#include <optional>
#include <string>

#include "placement/layer_loads.hpp"
#include "study/planning.hpp"

namespace oblea {

// The ratio to ask for and the contexts that it and an even split hold; nothing where cards are alike or there is one.
// Example: "layers 31 + 17 (-ts 31,17) hold 9,472 tokens a request; an even split holds 0".
std::optional<std::string> split_gain_words(const Placement& placement, const LayerLoads& loads,
                                            const PlanningDevices& planning);

}  // namespace oblea
