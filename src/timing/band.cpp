#include "timing/band.hpp"

#include <algorithm>
#include <cmath>

namespace oblea {
namespace {
constexpr double kEstimateWidening = 1.5;
}  // namespace

BandClass band_class(const DeviceRates& rates) {
  if (rates.memory == MemoryClass::host) return BandClass::cpu;
  return rates.memory == MemoryClass::unified ? BandClass::unified : BandClass::gpu;
}

double band_widening(PassKind kind, const DeviceRates& rates, const TimingParameters& parameters) {
  const auto index = static_cast<std::size_t>(kind);
  const bool seen = parameters.families[index].test(static_cast<std::size_t>(family_of(rates)));
  return (seen ? 1.0 : std::max(parameters.unseen_widening[index], 1.0)) *
         (rates.has_estimates ? kEstimateWidening : 1.0);
}

Prediction with_band(double seconds, double floor_seconds, TimingLimit limit, const ErrorBand& band, double widening) {
  const double low = seconds * std::exp(-widening * std::max(band.high, 0.0));
  const double high = seconds * std::exp(-widening * std::min(band.low, 0.0));
  return {Seconds(seconds), Seconds(std::max(low, floor_seconds)), Seconds(high), limit};
}

Prediction with_band(double seconds, double floor_seconds, TimingLimit limit, PassKind kind, const DeviceRates& rates,
                     const TimingParameters& parameters) {
  return with_band(seconds, floor_seconds, limit, parameters.band(kind, band_class(rates)),
                   band_widening(kind, rates, parameters));
}

}  // namespace oblea
