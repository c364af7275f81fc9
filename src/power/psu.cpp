#include "power/psu.hpp"

#include <algorithm>
#include <array>

#include "base/check.hpp"
#include "power/device_power.hpp"
#include "power/interpolate.hpp"

namespace oblea {
namespace {

constexpr double kLowMainsBelow = 180;  // volts
constexpr double kTightTransientLoad = 0.9;
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

}  // namespace

double supply_efficiency(const Psu& psu, Watts dc, double mains_volts) {
  const auto& low = psu.efficiency_115v.value;
  const auto& high = psu.efficiency_230v.value;
  const auto& curve = high.empty() || (mains_volts < kLowMainsBelow && !low.empty()) ? low : high;
  const double load = dc / psu.rated.value;
  return interpolate(std::span<const EfficiencyPoint>(curve), load, &EfficiencyPoint::load,
                     &EfficiencyPoint::efficiency);
}

Watts supply_wall_watts(const Psu& psu, Watts dc, double mains_volts) {
  return dc / supply_efficiency(psu, dc, mains_volts);
}

CardDraw worst_card_draw(const Device& device, std::optional<Watts> power_limit) {
  return {sustained_watts(device, power_limit), transient_watts(device),
          value_or(device.power_connectors, PowerConnectors{})};
}

SupplyAssessment assess_supplies(const PsuSet& set, Watts host, std::span<const CardDraw> cards, double mains_volts) {
  OBLEA_CHECK(set.psu != nullptr && set.count >= 1 && set.count <= kMaxSupplies, "a set of 1 to 16 supplies");
  OBLEA_CHECK(cards.size() <= kMaxCardsPerSet, "at most 64 cards on one set of supplies");
  const Psu& psu = *set.psu;
  std::array<Shelf, kMaxSupplies> all;
  const std::span<Shelf> shelves(all.data(), static_cast<std::size_t>(set.count));
  for (Shelf& shelf : shelves) shelf.free = psu.connectors.value;
  shelves[0].sustained = host;
  shelves[0].transient = host;
  shelves[0].free.eps_8pin = std::max(0, shelves[0].free.eps_8pin - kHostEpsPlugs);

  SupplyAssessment result;
  const std::array<int, kMaxCardsPerSet> order = largest_first(cards);
  for (std::size_t i = 0; i < cards.size(); ++i) {
    const CardDraw& card = cards[order[i]];
    Shelf& shelf = shelves[choose_shelf(shelves, card)];
    result.missing_8pin += take_plugs(card, shelf.free);
    shelf.sustained += card.sustained;
    shelf.transient += card.transient;
  }

  const Watts survivable = psu.rated.value * psu.excursion_factor.value;
  double worst = -1;
  for (int i = 0; i < set.count; ++i) {
    const Shelf& shelf = shelves[i];
    const double load = shelf.sustained / psu.rated.value;
    const double transient_load = shelf.transient / survivable;
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

}  // namespace oblea
