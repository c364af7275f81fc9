#include "power/supply_map.hpp"

#include <algorithm>
#include <array>

#include "base/check.hpp"

namespace oblea {
namespace {

constexpr double kTightTransientLoad = 0.9;
constexpr double kSharedEvenly = 3200.0 / 3600;
constexpr int kHostEpsPlugs = 1;

// One supply while cards are being hung on it.
struct Shelf {
  Watts sustained{};
  Watts transient{};
  PowerConnectors free;
};

int adapter_8pins(Watts card) { return card <= Watts(300) ? 2 : card <= Watts(450) ? 3 : 4; }

// PCIe 8-pin plugs lacking for this card; `free` keeps what is left after it took its plugs.
int take_plugs(const CardDraw& card, PowerConnectors& free) {
  const PowerConnectors& need = card.connectors;
  const int hpwr = std::min(need.hpwr_12v, free.hpwr_12v);
  const int six = std::min(need.pcie_6pin, free.pcie_6pin);
  const int eps = std::min(need.eps_8pin, free.eps_8pin);
  const int eight = need.pcie_8pin + (need.pcie_6pin - six) + 2 * (need.eps_8pin - eps) +
                    (need.hpwr_12v - hpwr) * adapter_8pins(card.sustained);
  free.hpwr_12v -= hpwr;
  free.pcie_6pin -= six;
  free.eps_8pin -= eps;
  const int taken = std::min(eight, free.pcie_8pin);
  free.pcie_8pin -= taken;
  return eight - taken;
}

// The supply with the least sustained watts that has the plugs, or else the least loaded one.
int choose_shelf(std::span<const Shelf> shelves, const CardDraw& card) {
  int lightest = 0;
  int lightest_with_plugs = -1;
  for (int i = 0; i < static_cast<int>(shelves.size()); ++i) {
    if (shelves[i].sustained < shelves[lightest].sustained) lightest = i;
    if (lightest_with_plugs >= 0 && !(shelves[i].sustained < shelves[lightest_with_plugs].sustained)) continue;
    PowerConnectors free = shelves[i].free;
    if (take_plugs(card, free) == 0) lightest_with_plugs = i;
  }
  return lightest_with_plugs >= 0 ? lightest_with_plugs : lightest;
}

// Indices of the cards, largest sustained draw first, equal ones in the order given.
std::array<int, kMaxCardsPerSet> largest_first(std::span<const CardDraw> cards) {
  std::array<int, kMaxCardsPerSet> order;
  for (int i = 0; i < static_cast<int>(cards.size()); ++i) {
    int place = i;
    for (; place > 0 && cards[order[place - 1]].sustained < cards[i].sustained; --place)
      order[place] = order[place - 1];
    order[place] = i;
  }
  return order;
}

SupplyVerdict judge(double load, double transient_load, int missing_8pin) {
  if (load > 1) return SupplyVerdict::overloaded;
  if (missing_8pin > 0) return SupplyVerdict::missing_connectors;
  if (transient_load > 1) return SupplyVerdict::trips_on_transients;
  return load > kComfortableLoad || transient_load > kTightTransientLoad ? SupplyVerdict::tight : SupplyVerdict::fine;
}

void check_counts(std::size_t supplies, std::size_t cards) {
  OBLEA_CHECK(supplies >= 1 && supplies <= kMaxSupplies, "a set of 1 to 16 supplies");
  OBLEA_CHECK(cards <= kMaxCardsPerSet, "at most 64 cards on one set of supplies");
}

// The shelves of these supplies with the host on one of them, before any card.
std::array<Shelf, kMaxSupplies> empty_shelves(std::span<const Psu* const> supplies, int host_supply, Watts host) {
  std::array<Shelf, kMaxSupplies> shelves;
  for (std::size_t i = 0; i < supplies.size(); ++i) shelves[i].free = supplies[i]->connectors.value;
  Shelf& with_host = shelves[host_supply];
  with_host.sustained = host;
  with_host.transient = host;
  with_host.free.eps_8pin = std::max(0, with_host.free.eps_8pin - kHostEpsPlugs);
  return shelves;
}

// Hangs the card on the shelf and returns the plugs lacking for it.
int hang(const CardDraw& card, Shelf& shelf) {
  shelf.sustained += card.sustained;
  shelf.transient += card.transient;
  return take_plugs(card, shelf.free);
}

}  // namespace

SupplyMap spread_cards(const PsuSet& set, Watts host, std::span<const CardDraw> cards) {
  OBLEA_CHECK(set.psu != nullptr && set.count >= 1, "a set of supplies of one kind");
  check_counts(static_cast<std::size_t>(set.count), cards.size());
  SupplyMap map{std::vector<const Psu*>(static_cast<std::size_t>(set.count), set.psu),
                std::vector<int>(cards.size(), 0), 0};
  std::array<Shelf, kMaxSupplies> all = empty_shelves(map.supplies, map.host_supply, host);
  const std::span<Shelf> shelves(all.data(), map.supplies.size());
  const std::array<int, kMaxCardsPerSet> order = largest_first(cards);
  for (std::size_t i = 0; i < cards.size(); ++i) {
    const int card = order[i];
    map.card_supply[card] = choose_shelf(shelves, cards[card]);
    hang(cards[card], shelves[map.card_supply[card]]);
  }
  return map;
}

SupplyAssessment assess_supply_map(const SupplyMap& map, Watts host, std::span<const CardDraw> cards,
                                   double mains_volts) {
  const int count = static_cast<int>(map.supplies.size());
  check_counts(map.supplies.size(), cards.size());
  OBLEA_CHECK(map.card_supply.size() == cards.size(), "every card hangs on a supply");
  OBLEA_CHECK(map.host_supply >= 0 && map.host_supply < count, "the host hangs on one of the supplies");
  std::array<Shelf, kMaxSupplies> shelves = empty_shelves(map.supplies, map.host_supply, host);

  SupplyAssessment result;
  const std::array<int, kMaxCardsPerSet> order = largest_first(cards);
  for (std::size_t i = 0; i < cards.size(); ++i) {
    const int supply = map.card_supply[order[i]];
    OBLEA_CHECK(supply >= 0 && supply < count, "a card hangs on one of the supplies");
    result.missing_8pin += hang(cards[order[i]], shelves[supply]);
  }

  double worst = -1;
  for (int i = 0; i < count; ++i) {
    const Psu& psu = *map.supplies[i];
    const Shelf& shelf = shelves[i];
    const double load = shelf.sustained / psu.rated.value;
    const double transient_load = shelf.transient / (psu.rated.value * psu.excursion_factor.value);
    result.total_sustained += shelf.sustained;
    if (shelf.sustained > Watts(0)) result.total_wall += supply_wall_watts(psu, shelf.sustained, mains_volts);
    // Overload outranks transients in the verdict, so it also decides which supply is the worst.
    const double badness = load > 1 ? 1000 + load : std::max(load, transient_load);
    if (badness <= worst) continue;
    worst = badness;
    result.supply = i;
    result.sustained = shelf.sustained;
    result.transient = shelf.transient;
    result.load = load;
    result.transient_load = transient_load;
  }
  result.verdict = judge(result.load, result.transient_load, result.missing_8pin);
  return result;
}

Watts joint_rating(std::span<const Watts> ratings, SupplySharing sharing) {
  OBLEA_CHECK(!ratings.empty(), "a rail needs a supply");
  Watts sum{};
  for (const Watts rating : ratings) sum += rating;
  if (ratings.size() == 1) return sum;
  if (sharing == SupplySharing::load_sharing) return sum * kSharedEvenly;
  return sum - *std::max_element(ratings.begin(), ratings.end());
}

}  // namespace oblea
