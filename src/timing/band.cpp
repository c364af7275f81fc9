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

Prediction with_band(double seconds, double floor_seconds, TimingLimit limit, const ErrorBand& band,
                     bool has_estimates) {
  const double widen = has_estimates ? kEstimateWidening : 1.0;
  const double low = seconds * std::exp(-widen * std::max(band.high, 0.0));
  const double high = seconds * std::exp(-widen * std::min(band.low, 0.0));
  return {Seconds(seconds), Seconds(std::max(low, floor_seconds)), Seconds(high), limit};
}

}  // namespace oblea
