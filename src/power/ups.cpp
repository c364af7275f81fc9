#include "power/ups.hpp"

#include <algorithm>
#include <cmath>

#include "base/check.hpp"

namespace oblea {
namespace {

constexpr double kTightFrom = 0.8;
constexpr Seconds kLabelTime{20 * 3600.0};
constexpr Banded<double> kPeukert{1.15, 1.25, 1.05};  // the larger k runs shorter

Seconds with_rate_effect(Seconds plain, double k) {
  return plain * std::pow(std::min(1.0, plain / kLabelTime), (k - 1) / (2 - k));
}

}  // namespace

UpsVerdict assess_ups(const Ups& ups, Watts load, double power_factor) {
  OBLEA_CHECK(ups.rated_volt_amperes > 0 && ups.rated > Watts(0), "a UPS has both ratings");
  OBLEA_CHECK(power_factor > 0 && power_factor <= 1, "a power factor is above 0 and at most 1");
  const double share = std::max(load / ups.rated, load.value() / power_factor / ups.rated_volt_amperes);
  if (share > 1) return UpsVerdict::overloaded;
  return share > kTightFrom ? UpsVerdict::tight : UpsVerdict::carries;
}

Banded<Seconds> run_time(const Ups& ups, Watts load) {
  OBLEA_CHECK(load > Watts(0), "a battery lasts for a load above zero");
  const Seconds plain = ups.battery * ups.efficiency / load;
  return {with_rate_effect(plain, kPeukert.value), with_rate_effect(plain, kPeukert.low),
          with_rate_effect(plain, kPeukert.high)};
}

}  // namespace oblea
