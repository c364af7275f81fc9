// Power limit: the share of speed that a GPU keeps when its power limit is below its TDP.
#pragma once

#include "units/banded.hpp"
#include "units/quantity.hpp"

namespace oblea {

// Share of the unlimited decode speed at limit / TDP, piecewise linear; 1 at and above the TDP.
// Nearly flat down to 0.7 of the TDP, then steep. Sources: RTX 3090 single stream (15 limits), six 3090 (6 limits),
// 4090, 5090, 5060 Ti, an AMD 300 W card: 33 points of 11 runs, median error 3.0 % (1.8 % on the 26 points from 0.57
// on), in sample.
// Example: 280 W of 350 W keeps 0.97 (0.82 to 1.00); measured 0.96. 175 W of 350 W keeps 0.70; measured 0.62 and 0.90.
Banded<double> decode_speed_at_limit(Watts power_limit, Watts tdp);

// Same for prefill, which is bound by compute and falls all the way.
// Sources: six 3090 (6 limits), 3090, 5090, AMD 300 W, training on four 3090: 12 points of 6 runs, median error 1.5
// %, in sample; one point of the AMD card is off by 11 % and not monotonic in its source.
// Example: 250 W of 350 W keeps 0.85 (0.79 to 0.90); measured 0.85, 0.86 and 0.88.
Banded<double> prefill_speed_at_limit(Watts power_limit, Watts tdp);

}  // namespace oblea
