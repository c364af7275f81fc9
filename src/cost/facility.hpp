// Facility: what the room adds to the watts of the build, part by part, and the PUE that comes of it.
#pragma once

#include "cost/day_profile.hpp"
#include "units/quantity.hpp"

namespace oblea {

// Everything absent is 0. `chiller_cop` is heat moved per work, 0 where no chiller or air conditioner runs.
struct Facility {
  Watts pumps_and_fans;          // outside the build's own supply, on all day
  double chiller_cop = 0;        // 2.5 to 4 for a room's air conditioner
  double distribution_loss = 0;  // UPS and cables, as a share of what the build draws
};

struct FacilityWatts {
  Watts build;
  Watts distribution;
  Watts pumps_and_fans;
  Watts chiller;
  Watts total;
};

// All heat stays in the room until the chiller moves it: chiller = (build + distribution + pumps and fans) / COP.
// Example: 1,685 W, pumps and fans 70 W, a chiller of COP 3, 4 % lost: 67.4 + 70 + 607.47 = 2,429.87 W.
FacilityWatts facility_watts(Watts build, const Facility& facility);
DayWatts facility_watts(const DayWatts& build, const Facility& facility);

// Power usage effectiveness: energy of the whole / energy of the build, over the same day. What runs all day weighs
// more on an idle build. Example: 70 W of pumps and fans: 1,755 / 1,685 = 1.042 busy, 180 / 110 = 1.636 idle.
double pue(const DayWatts& build, const Facility& facility);

// The PUE that a claim "cooling is so much of the bill" means. Example: 40 % of the bill: 1 / 0.6 = 1.667.
double pue_of_cooling_share(double share);

}  // namespace oblea
