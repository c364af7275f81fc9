// Supplies of a box: what hangs on which, at the wall, judged, and said in words.
#pragma once

#include <string>
#include <vector>

#include "power/supply_verdict.hpp"
#include "power/wall.hpp"
#include "study/machine.hpp"

namespace oblea {

// What hangs on the box's supplies besides its devices.
BoxDraw box_draw(const Box& box, bool busy);

// At the wall, by the box's own supplies or, where none is described, with the losses of a brick. Equal supplies share
// evenly; of those described one by one each takes its cards' part of the most that all cards draw.
Banded<Watts> box_wall_watts(const BoxDraw& draw, const Box& box, double mains_volts);

// As described, or equal supplies with the cards spread over them; the indices are those of `cards_of`.
SupplyMap supply_map_of(const Box& box);

SupplyAssessment assess_box_supplies(const Box& box, const SharedWork& work);

// In words with the arithmetic: load, peaks, the limit and its probability, and what would cure it.
// Example: "1x Old: 1,070 W DC on the fullest (71 % of 1,500 W), peaks 2,070 W (138 %); trips below 1 ms: 0.57 (0.35
// to 0.71); a clock lock of 1,740 MHz cures it, no cap does".
std::string supply_words(const Box& box, const SupplyAssessment& assessment, const SharedWork& work);

}  // namespace oblea
