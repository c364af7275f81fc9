// From a time to a Prediction: puts the band of its class around it.
#pragma once

#include "timing/device_rates.hpp"
#include "timing/prediction.hpp"
#include "timing/timing_parameters.hpp"

namespace oblea {

BandClass band_class(const DeviceRates& rates);

// The time that would have been measured lies at value x exp(-error), so low = value x exp(-band.high) and the reverse.
// A datasheet estimate among the facts widens the band by half. `floor` bounds low: nothing runs faster than physics.
// Example: 10 ms with band (-0.1, 0.2): low 8.19 ms, high 11.05 ms.
Prediction with_band(double seconds, double floor_seconds, TimingLimit limit, const ErrorBand& band,
                     bool has_estimates);

}  // namespace oblea
