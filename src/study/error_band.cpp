#include "study/error_band.hpp"

#include <algorithm>

namespace oblea {

double weighted_quantile(std::vector<WeightedError> errors, double share) {
  std::stable_sort(errors.begin(), errors.end(),
                   [](const WeightedError& a, const WeightedError& b) { return a.error < b.error; });
  double sum = 0;
  for (const WeightedError& e : errors) sum += e.weight;
  double before = 0;
  double earlier = 0;  // share at the middle of the error before
  for (std::size_t i = 0; i < errors.size(); ++i) {
    const double middle = (before + errors[i].weight / 2) / sum;
    if (middle >= share) {
      if (i == 0) return errors[0].error;
      const double step = (share - earlier) / (middle - earlier);
      return errors[i - 1].error + (errors[i].error - errors[i - 1].error) * step;
    }
    before += errors[i].weight;
    earlier = middle;
  }
  return errors.empty() ? 0 : errors.back().error;
}

ErrorBand error_band(std::vector<WeightedError> errors, double tail) {
  const double high = weighted_quantile(errors, 1 - tail);
  return {std::min(weighted_quantile(std::move(errors), tail), 0.0), std::max(high, 0.0)};
}

}  // namespace oblea
