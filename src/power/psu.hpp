// Supply: what a power supply draws from the wall, and whether one or several carry a build.
#pragma once

#include <optional>
#include <span>

#include "hardware/device.hpp"
#include "hardware/psu.hpp"
#include "units/quantity.hpp"

namespace oblea {

inline constexpr int kMaxSupplies = 16;          // in one set
inline constexpr int kMaxCardsPerSet = 64;       // fed by one set
inline constexpr double kComfortableLoad = 0.8;  // of the rating, sustained: room for fans, age and warm air

// Efficiency at this load and mains voltage: piecewise linear in load / rating, clamped at the ends of the curve (80
// PLUS states 20, 50 and 100 %). Below 180 V the 115 V curve, else the 230 V one; if a profile has only one, that one.
// Example: Gold at 230 V is 0.90, 0.92, 0.89 at 20, 50, 100 %: 600 W of 850 W is a load of 0.706, so 0.9076.
double supply_efficiency(const Psu& psu, Watts dc, double mains_volts);

// Wall = DC / efficiency. Example: 600 W DC / 0.9076 = 661 W.
Watts supply_wall_watts(const Psu& psu, Watts dc, double mains_volts);

// `count` equal supplies; each card hangs on one of them. Load-sharing server shelves are one supply of their joint
// rating.
struct PsuSet {
  const Psu* psu = nullptr;
  int count = 1;
};

struct CardDraw {
  Watts sustained{};
  Watts transient{};  // below 1 ms
  PowerConnectors connectors;
};

// The draw that a supply must be ready for: TDP or limit, transient peak, plugs.
CardDraw worst_card_draw(const Device& device, std::optional<Watts> power_limit = {});

enum class SupplyVerdict {
  fine,   // at most 80 % of the rating
  tight,  // above 80 %, or transients above 90 % of what it must survive
  trips_on_transients,
  missing_connectors,
  overloaded  // sustained above the rating
};

// Of the worst supply of the set, apart from the totals.
struct SupplyAssessment {
  SupplyVerdict verdict = SupplyVerdict::fine;
  int supply = 0;             // the worst one, from 0; the host hangs on 0
  Watts sustained{};          // on it
  Watts transient{};          // on it, all its cards at once
  double load = 0;            // sustained / rating
  double transient_load = 0;  // transient / (rating x excursion factor)
  int missing_8pin = 0;       // plugs lacking on all supplies, in PCIe 8-pin
  Watts total_sustained{};    // DC of the set
  Watts total_wall{};         // what the set draws from the wall at the sustained load
};

// Cards go, largest first, to the supply with the least on it that still has plugs for them; the host's DC watts are
// on supply 0. Rule: sustained <= rating, sum of card transients + host <= rating x excursion factor (cards in tensor
// parallel spike together). Plugs: a 12VHPWR plug may be replaced by 2 PCIe 8-pin up to 300 W, 3 up to 450 W, 4
// above; a 6-pin by an 8-pin; a card's EPS plug by 2 PCIe 8-pin. One EPS plug of supply 0 is the host's.
// Example: four RTX 3090 (350 W, 480 W below 1 ms) + 150 W on one 1,600 W supply: 1,550 W = 97 %, tight; transients
// 2,070 W, which trips a supply that survives 1.25 x 1,600 = 2,000 W. On two 1,200 W supplies: 850 W and 700 W, 71 %,
// fine.
SupplyAssessment assess_supplies(const PsuSet& set, Watts host, std::span<const CardDraw> cards, double mains_volts);

}  // namespace oblea
