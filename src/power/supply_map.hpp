// Supply map: which supply feeds which card, for supplies that need not be equal.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "power/power_control.hpp"
#include "power/psu.hpp"

namespace oblea {

// How supplies that feed one rail divide their load.
enum class SupplySharing {
  redundant,     // one may fail: all but the largest must carry the load
  load_sharing,  // all carry it, unevenly
};

struct MappedSupply {
  const Psu* psu = nullptr;
  Watts card_rail{};  // rating of the rail that its cards hang on; 0: one rail feeds everything
};

struct SupplyMap {
  std::vector<MappedSupply> supplies;    // at least 1, at most kMaxSupplies
  std::vector<int> card_supply;          // by card, the index of its supply
  int host_supply = 0;                   // the host's
  std::optional<SupplySharing> sharing;  // all feed one rail; then every index is 0
};

// Cards go, largest first, to the supply with the least on it that still has plugs for them; the host hangs on the
// first. With `sharing` all hang on all.
// Example: cards of 450, 350, 350 W and a host of 150 W on two 1,200 W supplies: the 450 W card on supply 1 (0 W
// against 150 W), the next on 0, and the last on 1 (450 W against 500 W): {1, 0, 1}.
SupplyMap spread_cards(const PsuSet& set, Watts host, std::span<const Device* const> cards, const PowerControl& control,
                       std::optional<SupplySharing> sharing = {});

// The watts that supplies on one rail carry together. Load sharing loses a ninth to uneven halves: two 1,800 W
// supplies are rated 3,200 W by their maker (server-gear.com, four RTX 4090 at 200 V), n = 1.
// Example: two of 1,800 W: 1,800 W redundant, 3,200 W load sharing.
Watts joint_rating(std::span<const Watts> ratings, SupplySharing sharing);

// Bounds, indices and pointers of a map over so many cards; a breach is a bug of the caller.
void check_supply_map(const SupplyMap& map, std::size_t cards);

}  // namespace oblea
