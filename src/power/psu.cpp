#include "power/psu.hpp"

#include <span>

#include "power/interpolate.hpp"

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

}  // namespace oblea
