#include "power/supply_flow.hpp"

#include "base/check.hpp"

namespace oblea {
namespace {

void share_by_rating(const SupplyMap& map, Watts all, std::vector<SupplyFlow>& flows) {
  Watts rated{};
  for (const MappedSupply& supply : map.supplies) rated += supply.psu->rated.value;
  for (std::size_t i = 0; i < flows.size(); ++i) flows[i].output = all * (map.supplies[i].psu->rated.value / rated);
}

}  // namespace

std::vector<SupplyFlow> supply_flows(const SupplyMap& map, Watts host, std::span<const Watts> cards,
                                     double mains_volts) {
  check_supply_map(map, cards.size());
  OBLEA_CHECK(host >= Watts(0), "a host draws nothing or more");
  std::vector<SupplyFlow> flows(map.supplies.size());
  flows[static_cast<std::size_t>(map.host_supply)].output = host;
  for (std::size_t i = 0; i < cards.size(); ++i) {
    OBLEA_CHECK(cards[i] >= Watts(0), "a card draws nothing or more");
    flows[static_cast<std::size_t>(map.card_supply[i])].output += cards[i];
  }
  if (map.sharing) share_by_rating(map, flows.front().output, flows);
  for (std::size_t i = 0; i < flows.size(); ++i) {
    if (flows[i].output > Watts(0))
      flows[i].input = supply_wall_watts(*map.supplies[i].psu, flows[i].output, mains_volts);
  }
  return flows;
}

}  // namespace oblea
