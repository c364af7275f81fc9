#include "power/supply_map.hpp"

#include <algorithm>
#include <array>

#include "base/check.hpp"
#include "power/plugs.hpp"

namespace oblea {
namespace {

constexpr double kSharedEvenly = 3200.0 / 3600;

// One supply while cards are being hung on it.
struct Shelf {
  Watts sustained{};
  PowerConnectors free;
};

struct CardNeed {
  Watts sustained{};
  PowerConnectors plugs;
};

// The supply with the least sustained watts that has the plugs, or else the least loaded one.
int choose_shelf(std::span<const Shelf> shelves, const CardNeed& card) {
  int lightest = 0;
  int lightest_with_plugs = -1;
  for (int i = 0; i < static_cast<int>(shelves.size()); ++i) {
    if (shelves[i].sustained < shelves[lightest].sustained) lightest = i;
    if (lightest_with_plugs >= 0 && !(shelves[i].sustained < shelves[lightest_with_plugs].sustained)) continue;
    PowerConnectors free = shelves[i].free;
    if (take_plugs(card.plugs, card.sustained, free) == 0) lightest_with_plugs = i;
  }
  return lightest_with_plugs >= 0 ? lightest_with_plugs : lightest;
}

// Indices of the cards, largest sustained draw first, equal ones in the order given.
std::array<int, kMaxCardsPerBox> largest_first(std::span<const CardNeed> cards) {
  std::array<int, kMaxCardsPerBox> order;
  for (int i = 0; i < static_cast<int>(cards.size()); ++i) {
    int place = i;
    for (; place > 0 && cards[order[place - 1]].sustained < cards[i].sustained; --place)
      order[place] = order[place - 1];
    order[place] = i;
  }
  return order;
}

}  // namespace

SupplyMap spread_cards(const PsuSet& set, Watts host, std::span<const Device* const> cards, const PowerControl& control,
                       std::optional<SupplySharing> sharing) {
  OBLEA_CHECK(set.psu != nullptr && set.count >= 1 && set.count <= kMaxSupplies, "a set of 1 to 16 supplies");
  OBLEA_CHECK(cards.size() <= kMaxCardsPerBox, "at most 64 cards on the supplies of a box");
  SupplyMap map;
  map.supplies.assign(static_cast<std::size_t>(set.count), {set.psu, Watts(0)});
  map.card_supply.assign(cards.size(), 0);
  map.sharing = sharing;
  if (set.count == 1 || sharing) return map;

  std::array<CardNeed, kMaxCardsPerBox> all_needs;
  for (std::size_t i = 0; i < cards.size(); ++i) {
    all_needs[i] = {sustained_watts(*cards[i], control), value_or(cards[i]->power_connectors, PowerConnectors{})};
  }
  const std::span<const CardNeed> needs(all_needs.data(), cards.size());
  std::array<Shelf, kMaxSupplies> all_shelves;
  const std::span<Shelf> shelves(all_shelves.data(), map.supplies.size());
  for (std::size_t i = 0; i < shelves.size(); ++i) shelves[i].free = plugs_for_cards(*set.psu, i == 0);
  shelves.front().sustained = host;

  const std::array<int, kMaxCardsPerBox> order = largest_first(needs);
  for (std::size_t i = 0; i < cards.size(); ++i) {
    const auto card = static_cast<std::size_t>(order[i]);
    const int chosen = choose_shelf(shelves, needs[card]);
    map.card_supply[card] = chosen;
    Shelf& shelf = shelves[static_cast<std::size_t>(chosen)];
    shelf.sustained += needs[card].sustained;
    take_plugs(needs[card].plugs, needs[card].sustained, shelf.free);
  }
  return map;
}

Watts joint_rating(std::span<const Watts> ratings, SupplySharing sharing) {
  OBLEA_CHECK(!ratings.empty(), "a rail needs a supply");
  Watts sum{};
  for (const Watts rating : ratings) sum += rating;
  if (ratings.size() == 1) return sum;
  if (sharing == SupplySharing::load_sharing) return sum * kSharedEvenly;
  return sum - *std::max_element(ratings.begin(), ratings.end());
}

void check_supply_map(const SupplyMap& map, std::size_t cards) {
  const int count = map.sharing ? 1 : static_cast<int>(map.supplies.size());
  OBLEA_CHECK(!map.supplies.empty() && map.supplies.size() <= kMaxSupplies, "a box has 1 to 16 supplies");
  OBLEA_CHECK(cards <= kMaxCardsPerBox, "at most 64 cards on the supplies of a box");
  OBLEA_CHECK(map.card_supply.size() == cards, "every card hangs on a supply");
  OBLEA_CHECK(map.host_supply >= 0 && map.host_supply < count, "the host hangs on one of the supplies");
  for (const MappedSupply& supply : map.supplies) OBLEA_CHECK(supply.psu != nullptr, "a mapped supply is a supply");
  for (const int supply : map.card_supply)
    OBLEA_CHECK(supply >= 0 && supply < count, "a card hangs on one of the supplies");
}

}  // namespace oblea
