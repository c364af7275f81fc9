// Supply: what a power supply draws from the wall for what it gives.
#pragma once

#include "hardware/psu.hpp"
#include "units/quantity.hpp"

namespace oblea {

inline constexpr int kMaxSupplies = 16;          // in one box
inline constexpr int kMaxCardsPerBox = 64;       // fed by its supplies
inline constexpr double kComfortableLoad = 0.8;  // of the rating, sustained: room for fans, age and warm air

// Efficiency at this load and mains voltage: piecewise linear in load / rating, clamped at the ends of the curve (80
// PLUS states 20, 50 and 100 %). Below 180 V the 115 V curve, else the 230 V one; if a profile has only one, that one.
// Example: Gold at 230 V is 0.90, 0.92, 0.89 at 20, 50, 100 %: 600 W of 850 W is a load of 0.706, so 0.9076.
double supply_efficiency(const Psu& psu, Watts dc, double mains_volts);

// Wall = DC / efficiency. Example: 600 W DC / 0.9076 = 661 W.
Watts supply_wall_watts(const Psu& psu, Watts dc, double mains_volts);

// `count` equal supplies. Load-sharing server shelves are one supply of their joint rating.
struct PsuSet {
  const Psu* psu = nullptr;
  int count = 1;
};

}  // namespace oblea
