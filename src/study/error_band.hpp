// Error bands: quantiles of weighted log errors.
#pragma once

#include <vector>

#include "timing/timing_parameters.hpp"

namespace oblea {

struct WeightedError {
  double error = 0;
  double weight = 1;
};

// The error below which `share` of the weight lies; each error sits in the middle of its own weight, and between two of
// them the quantile is interpolated. Example: 1, 2, 3, 4 of equal weight: 0.5 gives 2.5; 0.125 gives 1.
double weighted_quantile(std::vector<WeightedError> errors, double share);

// From the quantile `tail` to 1 - tail; never leaves 0 out.
ErrorBand error_band(std::vector<WeightedError> errors, double tail);

}  // namespace oblea
