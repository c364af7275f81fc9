// What a node says of links, power, memory and network beside its profiles' ids, from what was found.
#pragma once

#include <vector>

#include "study/match_machine.hpp"

namespace oblea {

// RAM as sold for what the kernel hands out: the next step of a sixteenth of the power of two above it.
// Examples: 62.7 GiB is 64 GiB (step 4), 94.0 is 96 (step 8), 23.54 is 24 (step 2), 7.6 is 8 (step 0.5).
Bytes installed_memory(Bytes total);

// The link that a card works with: the lanes it has now, the generation it is able to, since cards at rest drop it.
PcieSlot working_link(const FoundLink& link);

// Each fills its fields of `matched.node` and notes what it assumed. `order` are the indices of the GPUs in the node,
// in the order of the node's devices; `slots` the links that the host profile gives them.
void set_links(const FoundMachine& found, const std::vector<std::size_t>& order, const std::vector<PcieSlot>& slots,
               MatchedMachine& matched);

// The limit of every card, where all are below their default.
void set_power_limit(const FoundMachine& found, const std::vector<std::size_t>& order, MatchedMachine& matched);

void set_memory(const FoundMachine& found, const Host& host, MatchedMachine& matched);

// The port with a cable and the most speed; its profile where that is not the host's own and goes in beside the cards.
void set_nic(const FoundMachine& found, const Host& host, const std::vector<const Device*>& cards,
             const ProfileLibrary& library, MatchedMachine& matched);

}  // namespace oblea
