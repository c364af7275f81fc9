// Compatibility: do the cards go into the slots, does the RAM go into the board, do the plugs match?
#pragma once

#include <string>
#include <vector>

#include "hardware/library.hpp"
#include "study/machine.hpp"

namespace oblea {

// Link of a card in a slot: the older generation, the fewer lanes. Example: a gen4 x16 card in a gen3 x4 slot runs gen3
// x4.
PcieSlot negotiated_link(const Device& card, const PcieSlot& slot);

// Cards go into the slots in order; a NIC that needs a slot takes the last one. Fills `links`, one a card.
// Empty: it fits. Else why not: "2 slots for 3 cards", "a card 3 slots wide has 2 beside slot 1".
std::string seat_cards(const Host& host, const std::vector<const Device*>& cards, const Nic* added_nic,
                       std::vector<PcieSlot>& links);

// RAM kit and how many of it reach at least `wanted`; 0 kits: it does not go.
int kits_for(const Host& host, const Storage& kit, Bytes wanted);

// Ports of this plug and at least this rate on a switch.
int matching_ports(const Switch& network_switch, const Nic& nic);

}  // namespace oblea
