// Plugs: whether a supply still has the plugs that a card needs.
#pragma once

#include "hardware/device.hpp"
#include "hardware/psu.hpp"
#include "units/quantity.hpp"

namespace oblea {

// The plugs of a supply for cards: one EPS plug is the host's where the host hangs on it.
PowerConnectors plugs_for_cards(const Psu& psu, bool feeds_host);

// Takes a card's plugs out of `free` and returns how many PCIe 8-pin plugs were lacking. A 12VHPWR plug may be replaced
// by 2 PCIe 8-pin up to 300 W, 3 up to 450 W, 4 above; a 6-pin by an 8-pin; a card's EPS plug by 2 PCIe 8-pin.
// Example: a card of 450 W with one 12VHPWR plug on a supply with two 8-pin: 1 is lacking.
int take_plugs(const PowerConnectors& need, Watts card, PowerConnectors& free);

}  // namespace oblea
