#include "power/wall.hpp"

#include <algorithm>

#include "base/check.hpp"

namespace oblea {
namespace {

constexpr double kIdleSupplyEfficiency = 0.85;  // estimate
constexpr double kBrickEfficiency = 0.88;       // estimate: the EU's floor for external supplies of 50 W and more
constexpr double kSupplyBetterThanClass = 0.015;

Watts wall_of(Watts dc, const PsuSet& set, double mains_volts, double better) {
  if (!(dc > Watts(0))) return Watts(0);
  const Watts each = dc / set.count;
  return dc / std::min(1.0, supply_efficiency(*set.psu, each, mains_volts) + better);
}

}  // namespace

Watts host_dc_watts(const Host& host, bool busy) {
  return busy ? host.load.value : host.idle.value * kIdleSupplyEfficiency;
}

Banded<Watts> sum_watts(std::span<const Banded<Watts>> devices) {
  Banded<Watts> sum;
  for (const Banded<Watts>& device : devices) add(sum, device);
  return sum;
}

Banded<Watts> dc_watts(const BoxDraw& box) {
  const Watts rest = box.host + box.nics + box.cooling + box.storage;
  return {box.devices.value + rest, box.devices.low + rest, box.devices.high + rest};
}

Banded<Watts> wall_watts(const BoxDraw& box, const PsuSet& set, double mains_volts) {
  OBLEA_CHECK(set.psu != nullptr && set.count >= 1, "a box needs a supply");
  const Banded<Watts> dc = dc_watts(box);
  return {wall_of(dc.value, set, mains_volts, 0), wall_of(dc.low, set, mains_volts, kSupplyBetterThanClass),
          wall_of(dc.high, set, mains_volts, 0)};
}

Banded<Watts> wall_watts(const BoxDraw& box, std::span<const SupplyPart> parts, double mains_volts) {
  Banded<Watts> sum;
  for (const SupplyPart& part : parts) {
    BoxDraw own = part.host ? box : BoxDraw{};
    own.devices = {};
    add(own.devices, box.devices, part.device_share);
    add(sum, wall_watts(own, {part.psu, 1}, mains_volts));
  }
  return sum;
}

Watts own_supply_wall_watts(Watts dc) { return dc / kBrickEfficiency; }

double power_usage_effectiveness(Watts computing, Watts cooling) {
  OBLEA_CHECK(computing > Watts(0), "PUE needs something that computes");
  return (computing + cooling) / computing;
}

}  // namespace oblea
