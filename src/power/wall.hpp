// Wall: what a whole box draws from the socket, from the watts of its parts.
#pragma once

#include <span>

#include "hardware/host.hpp"
#include "power/psu.hpp"
#include "units/banded.hpp"
#include "units/quantity.hpp"

namespace oblea {

// DC watts of the box without its cards. Idle is measured at the wall, so its supply's share comes off: x 0.85, an
// estimate for a supply at a tenth of its rating (80 PLUS Gold reaches about 0.82 there, Platinum 0.85).
// Example: idle 80 W at the wall is 68 W DC.
Watts host_dc_watts(const Host& host, bool busy);

// What hangs on the box's own supplies, DC.
struct BoxDraw {
  Banded<Watts> devices;  // sum over its cards in one phase
  Watts host{};
  Watts nics{};
  Watts cooling{};  // fans and pump
  Watts storage{};
};

// The sum over devices, as bands add when all err to the same side.
Banded<Watts> sum_watts(std::span<const Banded<Watts>> devices);

Banded<Watts> dc_watts(const BoxDraw& box);

// Wall watts of the box with its draw spread evenly over the supplies of the set.
// The low end also counts on a supply 1.5 points better than its class demands, as 80 PLUS states a floor.
// Example: four RTX 3090 at 350 W + 150 W = 1,550 W DC; at 92 % that is 1,685 W (1,658 to 1,685 W for a known draw).
Banded<Watts> wall_watts(const BoxDraw& box, const PsuSet& set, double mains_volts);

// One supply's part of a box's draw.
struct SupplyPart {
  const Psu* psu = nullptr;
  double device_share = 0;  // of the watts of all devices
  bool host = false;        // feeds everything else
};

// The same over supplies that need not be equal.
// Example: four RTX 3090 at 350 W and 150 W, three cards and the host on 1,600 W Gold, one card on 850 W Gold, at 230
// V: 1,200 W / 0.905 + 350 W / 0.9145 = 1,709 W.
Banded<Watts> wall_watts(const BoxDraw& box, std::span<const SupplyPart> parts, double mains_volts);

// Wall watts of a thing with a supply of its own: a switch, a NAS, a Pi, a mini PC. Its profile says DC; bricks lose
// 12 %.
// Example: a switch of 23 W draws 26.1 W.
Watts own_supply_wall_watts(Watts dc);

// PUE = (what computes + what cools it) / what computes, both at the wall. Example: 1,685 W and 35 W of pump and
// fans: 1.021.
double power_usage_effectiveness(Watts computing, Watts cooling);

}  // namespace oblea
