// Supply map: which supply feeds which card, for supplies that need not be equal, and whether each carries its share.
#pragma once

#include <span>
#include <vector>

#include "power/psu.hpp"

namespace oblea {

struct SupplyMap {
  std::vector<const Psu*> supplies;  // at least 1, at most kMaxSupplies
  std::vector<int> card_supply;      // by card, the index of its supply
  int host_supply = 0;
};

// The map that assess_supplies judges: cards go, largest first, to the supply with the least on it that still has
// plugs for them.
// Example: cards of 450, 350, 350 W and a host of 150 W on two 1,200 W supplies: the 450 W card on supply 1 (0 W
// against 150 W), the next on 0, and the last on 1 (450 W against 500 W): {1, 0, 1}.
SupplyMap spread_cards(const PsuSet& set, Watts host, std::span<const CardDraw> cards);

// Rules and verdicts as in assess_supplies, each supply held to its own rating and excursion factor.
// Example: a 1,600 W supply with the host (150 W) and three cards of 350 W, and an 850 W one with one card: 1,200 W =
// 75 % and 350 W = 41 %; the first is the worst one.
SupplyAssessment assess_supply_map(const SupplyMap& map, Watts host, std::span<const CardDraw> cards,
                                   double mains_volts);

// How supplies that feed one rail divide their load.
enum class SupplySharing {
  redundant,     // one may fail: all but the largest must carry the load
  load_sharing,  // all carry it, unevenly
};

// The watts that supplies on one rail carry together. Load sharing loses a ninth to uneven halves: two 1,800 W
// supplies are rated 3,200 W by their maker (server-gear.com, four RTX 4090 at 200 V), n = 1.
// Example: two of 1,800 W: 1,800 W redundant, 3,200 W load sharing.
Watts joint_rating(std::span<const Watts> ratings, SupplySharing sharing);

}  // namespace oblea
