#include "power/supply_verdict.hpp"

#include <array>
#include <tuple>

#include "power/plugs.hpp"

namespace oblea {
namespace {

Watts rating_of(const SupplyMap& map, int supply) {
  if (!map.sharing) return map.supplies[static_cast<std::size_t>(supply)].psu->rated.value;
  std::vector<Watts> ratings;
  for (const MappedSupply& each : map.supplies) ratings.push_back(each.psu->rated.value);
  return joint_rating(ratings, *map.sharing);
}

int missing_plugs(const SupplyMap& map, std::span<const Device* const> cards, const PowerControl& control) {
  std::array<PowerConnectors, kMaxSupplies> free;
  for (std::size_t i = 0; i < map.supplies.size(); ++i) {
    const PowerConnectors plugs = plugs_for_cards(*map.supplies[i].psu, static_cast<int>(i) == map.host_supply);
    PowerConnectors& all = free[map.sharing ? 0 : i];
    all.pcie_6pin += plugs.pcie_6pin;
    all.pcie_8pin += plugs.pcie_8pin;
    all.hpwr_12v += plugs.hpwr_12v;
    all.eps_8pin += plugs.eps_8pin;
  }
  int missing = 0;
  for (std::size_t i = 0; i < cards.size(); ++i) {
    missing += take_plugs(value_or(cards[i]->power_connectors, PowerConnectors{}), sustained_watts(*cards[i], control),
                          free[static_cast<std::size_t>(map.card_supply[i])]);
  }
  return missing;
}

SupplyVerdict verdict_of(const TripAssessment& trip) {
  if (trip.load > 1) return SupplyVerdict::overloaded;
  if (trip.verdict == TripVerdict::trips) return SupplyVerdict::trips;
  return trip.verdict == TripVerdict::tight ? SupplyVerdict::tight : SupplyVerdict::fine;
}

// The larger, the worse.
auto badness(const SupplyAssessment& one) {
  return std::tuple(one.verdict, one.trip.probability.value, one.trip.load, one.trip.peak_load);
}

SupplyAssessment assess(const SuppliedCards& supplied, int supply, bool card_rail) {
  SupplyAssessment one;
  one.trip = assess_trip(supplied);
  one.verdict = verdict_of(one.trip);
  one.supply = supply;
  one.on_card_rail = card_rail;
  one.rated = supplied.rated;
  one.sustained = supplied.rated * one.trip.load;
  return one;
}

}  // namespace

bool is_better(const SupplyAssessment& a, const SupplyAssessment& b) { return badness(a) < badness(b); }

SuppliedCards cards_on(const SupplyMap& map, int supply, bool card_rail, Watts host,
                       std::span<const Device* const> cards, const PowerControl& control, const SharedWork& work) {
  const MappedSupply& mapped = map.supplies[static_cast<std::size_t>(supply)];
  SuppliedCards supplied;
  supplied.generation = generation_of(*mapped.psu);
  supplied.rated = card_rail ? mapped.card_rail : rating_of(map, supply);
  supplied.host = supply == map.host_supply && !card_rail ? host : Watts(0);
  supplied.cards.reserve(cards.size());
  for (std::size_t i = 0; i < cards.size(); ++i) {
    if (map.card_supply[i] == supply) supplied.cards.push_back(cards[i]);
  }
  supplied.control = control;
  supplied.work = work;
  return supplied;
}

SupplyAssessment assess_supplies(const SupplyMap& map, Watts host, std::span<const Device* const> cards,
                                 const PowerControl& control, const SharedWork& work) {
  check_supply_map(map, cards.size());
  const int count = map.sharing ? 1 : static_cast<int>(map.supplies.size());
  SupplyAssessment worst;
  for (int i = 0; i < count; ++i) {
    for (const bool rail : {false, true}) {
      if (rail && !(map.supplies[static_cast<std::size_t>(i)].card_rail > Watts(0))) continue;
      const SupplyAssessment one = assess(cards_on(map, i, rail, host, cards, control, work), i, rail);
      if ((i == 0 && !rail) || is_better(worst, one)) worst = one;
    }
  }
  worst.missing_8pin = missing_plugs(map, cards, control);
  if (worst.missing_8pin > 0 && worst.verdict != SupplyVerdict::overloaded) {
    worst.verdict = SupplyVerdict::missing_connectors;
  }
  return worst;
}

}  // namespace oblea
