// Watts of a machine: by phase, at the wall, with the verdict on each box's supplies and on the circuit.
#pragma once

#include <string>
#include <vector>

#include "power/circuit.hpp"
#include "power/device_power.hpp"
#include "power/psu.hpp"
#include "power/wall.hpp"
#include "study/machine.hpp"
#include "units/banded.hpp"

namespace oblea {

// What hangs on the box's supplies besides its devices.
BoxDraw box_draw(const Box& box, bool busy);

// At the wall, by the box's own supplies or, where none is described, with the losses of a brick.
Banded<Watts> box_wall_watts(const BoxDraw& draw, const Box& box, double mains_volts);

// Share of a decode step in which each device works; the rest it waits. Empty: all of it.
using BusyShares = std::vector<double>;

struct MachinePower {
  Banded<Watts> wall_idle;  // model loaded, nobody asks
  Banded<Watts> wall_decode;
  Banded<Watts> wall_prefill;
  Watts wall_peak{};                       // every card at its TDP or limit, without pump and radiator fans
  std::vector<SupplyAssessment> supplies;  // one a box with a described supply
  std::vector<int> supply_box;             // its box
  CircuitAssessment circuit;
};

MachinePower assess_power(const Machine& machine, const BusyShares& decode_busy, const Circuit& circuit,
                          Watts cooling = Watts(0));

// Worst verdict over the boxes.
SupplyVerdict worst_supply(const MachinePower& power);

// In words with the arithmetic: "1,550 W on 1,600 W (97 %); below 1 ms 2,070 W against 2,000 W survived".
std::string supply_words(const SupplyAssessment& assessment, const PsuSet& set);
std::string circuit_words(const CircuitAssessment& assessment, const Circuit& circuit);

// The cheapest arrangement of supplies for a box, by price, from a list sorted by price; false: none carries it.
struct PricedPsu {
  const Psu* psu = nullptr;
  double price = 0;  // in the budget's currency
};
bool choose_supply(Box& box, const std::vector<PricedPsu>& by_price, int count_max, double mains_volts);

}  // namespace oblea
