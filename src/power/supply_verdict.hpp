// Supply verdict: whether the supplies of a box carry it: plugs, sustained load, and the peaks of what works in step.
#pragma once

#include <span>

#include "power/supply_map.hpp"
#include "power/supply_trip.hpp"

namespace oblea {

// From best to worst.
enum class SupplyVerdict {
  fine,   // at most 80 % of the rating, and a trip less likely than 0.05
  tight,  // above either
  trips,  // likelier than not
  missing_connectors,
  overloaded  // sustained above the rating
};

// Of the worst supply of a box, apart from the missing plugs.
struct SupplyAssessment {
  SupplyVerdict verdict = SupplyVerdict::fine;
  int supply = 0;             // the worst one, from 0; of supplies on one rail 0
  bool on_card_rail = false;  // judged by the rail of its cards, which is worse than the whole
  Watts rated{};              // of it, of its rail, or what all carry together on one
  Watts sustained{};          // on it
  TripAssessment trip;
  int missing_8pin = 0;  // plugs lacking on all supplies, in PCIe 8-pin
};

// Whether `a` is the better of two: by verdict, then probability of a trip, load and peaks.
bool is_better(const SupplyAssessment& a, const SupplyAssessment& b);

// What hangs on one supply, or on the rail of its cards, as assess_trip and find_cure take it.
SuppliedCards cards_on(const SupplyMap& map, int supply, bool card_rail, Watts host,
                       std::span<const Device* const> cards, const PowerControl& control, const SharedWork& work);

// One EPS plug is the host's; plugs as in plugs.hpp. Supplies on one rail put their plugs together, and are judged as
// one supply of the joint rating.
// Example: four RTX 3090 (350 W, 480 W below 1 ms) + 150 W in tensor parallel on one 1,600 W ATX 3 supply: 1,550 W = 97
// %, tight. On two of 1,200 W: 850 W and 700 W, 71 %, fine. On one 1,600 W supply of older rules it may trip (0.37).
SupplyAssessment assess_supplies(const SupplyMap& map, Watts host, std::span<const Device* const> cards,
                                 const PowerControl& control, const SharedWork& work);

}  // namespace oblea
