// Breaker: how long a circuit breaker carries a current above its rating.
#pragma once

#include "power/circuit.hpp"
#include "units/banded.hpp"

namespace oblea {

enum class BreakerCurve { b, c, us };

// By the circuit: us-* is us; else B, which house circuits in Europe have (C must be asked for).
BreakerCurve usual_curve(const Circuit& circuit);

// Time until it opens at a multiple of its rating, straight between points in both logarithms; infinite where it need
// not open. The low end is the earliest that the standard allows, the high end the latest.
// b, c (IEC 60898-1, up to 32 A, 30 C): 1.13 x not within an hour, 1.45 x within an hour, 2.55 x in 1 to 60 s, magnetic
// below 0.1 s from 3 to 5 x (b) or 5 to 10 x (c). us (UL 489, up to 30 A): 1 x never, 1.35 x within an hour, 2 x within
// 2 minutes; its early ends and its magnetic part (5 to 20 x) are estimates. The middle is the geometric mean of the
// ends, and infinite below the geometric mean of the two conventional currents.
// Example: b at 1.1 never; at 1.45 from 4.9 minutes to an hour; at 2.55 7.7 s (1 to 60 s); at 6 below 0.1 s.
Banded<Seconds> time_to_trip(BreakerCurve curve, double multiple);

// Of the build and of everything else on the circuit. Peaks below 20 ms do not reach it: the bulk capacitor of a supply
// holds them back (hold-up of 11 to 16 ms by the ATX rules), and magnetic opening needs 3 times the rating.
// Example: 1,163 W of a rig and a heater of 2,000 W on us-15a: 3,163 of 1,800 W = 1.76 x: within 30 to 368 s.
Banded<Seconds> circuit_time_to_trip(const Circuit& circuit, BreakerCurve curve, Watts build, Watts others = Watts(0));

}  // namespace oblea
