#include "power/psu.hpp"

#include "power/device_power.hpp"
#include "power/interpolate.hpp"
#include "power/supply_map.hpp"

namespace oblea {
namespace {

constexpr double kLowMainsBelow = 180;  // volts

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
  return assess_supply_map(spread_cards(set, host, cards), host, cards, mains_volts);
}

}  // namespace oblea
