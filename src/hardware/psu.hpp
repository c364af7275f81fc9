// Psu: a power supply: rating, efficiency by load and mains voltage, and the plugs it has.
#pragma once

#include <string>
#include <vector>

#include "hardware/device.hpp"
#include "hardware/sourced.hpp"
#include "units/quantity.hpp"

namespace oblea {

// Efficiency at a share of the rating (both 0 to 1), sorted by load.
struct EfficiencyPoint {
  double load = 0;
  double efficiency = 0;
};

struct Psu {
  std::string id;
  std::string name;
  std::string level;  // "gold", "platinum", ...
  Sourced<Watts> rated;
  Sourced<std::vector<EfficiencyPoint>> efficiency_115v;
  Sourced<std::vector<EfficiencyPoint>> efficiency_230v;
  Sourced<PowerConnectors> connectors;
  bool powers_board = true;          // has the ATX plugs of a mainboard; server supplies have not
  Sourced<double> excursion_factor;  // of the rating that it must survive below 1 ms (ATX 3: 2.0)
};

}  // namespace oblea
