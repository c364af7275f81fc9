// From a time to a Prediction: puts the band of its class around it.
#pragma once

#include "timing/device_rates.hpp"
#include "timing/prediction.hpp"
#include "timing/timing_parameters.hpp"

namespace oblea {

BandClass band_class(const DeviceRates& rates);

// Factor on the band's logarithm. A datasheet estimate among the facts widens it by half; a family of devices of which
// the fit saw no row by what fits show that left a whole family out. Example: an Arc (Intel, GDDR) never measured,
// factor 1.4, no estimates: 1.4; with an estimated bandwidth 2.1.
double band_widening(PassKind kind, const DeviceRates& rates, const TimingParameters& parameters);

// The time that would have been measured lies at value x exp(-error), so low = value x exp(-widening x band.high) and
// the reverse. `floor` bounds low: nothing runs faster than physics. Example: 10 ms with band (-0.1, 0.2): low 8.19 ms,
// high 11.05 ms; widened by 2: 6.70 and 12.21 ms.
Prediction with_band(double seconds, double floor_seconds, TimingLimit limit, const ErrorBand& band, double widening);

// The same with the band and the widening that the parameters hold for this device.
Prediction with_band(double seconds, double floor_seconds, TimingLimit limit, PassKind kind, const DeviceRates& rates,
                     const TimingParameters& parameters);

}  // namespace oblea
