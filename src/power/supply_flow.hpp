// Supply flow: what each supply of a box gives and draws at one moment.
#pragma once

#include <span>
#include <vector>

#include "power/supply_map.hpp"

namespace oblea {

// input x efficiency(output) = output, at every load and mains voltage; a supply that gives nothing draws nothing.
struct SupplyFlow {
  Watts output{};  // DC
  Watts input{};   // from the wall
};

// `cards`: DC watts of each card, in the map's order; `host`: of everything else in the box. Supplies on one rail give
// in proportion to their ratings; what their halves differ by is not known.
// Example: a host of 150 W and cards of 315 W twice on a 1,000 W Gold supply at 230 V: 780 W, 0.9032, 863.6 W.
std::vector<SupplyFlow> supply_flows(const SupplyMap& map, Watts host, std::span<const Watts> cards,
                                     double mains_volts);

}  // namespace oblea
