// Ups: whether an uninterruptible supply carries a load, and for how long its battery does.
#pragma once

#include "units/banded.hpp"
#include "units/quantity.hpp"

namespace oblea {

struct Ups {
  double rated_volt_amperes = 0;
  Watts rated{};
  Joules battery{};          // at the rate of discharge of its label, usually 20 hours
  double efficiency = 0.90;  // battery to outlet; estimate for line-interactive units
};

enum class UpsVerdict { carries, tight, overloaded };

// `power_factor` of the load: 0.95 and more for supplies with correction. Tight above 80 % of either rating.
// Example: 1,000 W at 0.95 is 1,053 VA: on 1,500 VA / 900 W overloaded, by its watts; on 1,500 VA / 1,350 W carried.
UpsVerdict assess_ups(const Ups& ups, Watts load, double power_factor = 0.95);

// battery x efficiency / load, less the rate effect of lead-acid cells: (hours / 20)^(k - 1) of the energy is left when
// emptied in so many hours, with Peukert's k = 1.15 (1.25 worn, 1.05 lithium); estimates. With t the hours without the
// effect, hours = t x (t / 20)^((k - 1) / (2 - k)).
// Example: 432 Wh at 500 W: 0.778 h without the effect, 0.438 h = 26 minutes with it (16 to 39).
Banded<Seconds> run_time(const Ups& ups, Watts load);

}  // namespace oblea
