#include "power/power_limit.hpp"

#include <span>

#include "power/interpolate.hpp"

namespace oblea {
namespace {

// A limit as a share of the TDP, and the share of speed that is left: the middle of the runs, and their range.
struct LimitPoint {
  double limit;
  double kept;
  double kept_low;
  double kept_high;
};

// Below 0.286 (100 W of 350 W) nothing was measured: a line to zero.
constexpr LimitPoint kDecode[] = {{0.000, 0.000, 0.00, 0.00}, {0.286, 0.170, 0.12, 0.20}, {0.357, 0.250, 0.19, 0.51},
                                  {0.430, 0.550, 0.40, 0.87}, {0.500, 0.700, 0.55, 0.91}, {0.571, 0.860, 0.65, 0.95},
                                  {0.643, 0.910, 0.66, 0.97}, {0.714, 0.955, 0.72, 1.00}, {0.800, 0.970, 0.82, 1.00},
                                  {0.900, 0.985, 0.91, 1.00}, {1.000, 1.000, 1.00, 1.00}};

constexpr LimitPoint kPrefill[] = {{0.000, 0.000, 0.00, 0.00}, {0.286, 0.140, 0.10, 0.18}, {0.430, 0.260, 0.22, 0.32},
                                   {0.500, 0.430, 0.36, 0.52}, {0.571, 0.600, 0.52, 0.70}, {0.643, 0.730, 0.66, 0.82},
                                   {0.714, 0.850, 0.79, 0.90}, {0.800, 0.910, 0.86, 0.95}, {0.857, 0.935, 0.90, 0.97},
                                   {0.900, 0.955, 0.90, 0.99}, {1.000, 1.000, 1.00, 1.00}};

Banded<double> kept_at(std::span<const LimitPoint> curve, Watts power_limit, Watts tdp) {
  OBLEA_CHECK(tdp.value() > 0, "a power limit is a share of a TDP above zero");
  const double share = power_limit / tdp;
  return {interpolate(curve, share, &LimitPoint::limit, &LimitPoint::kept),
          interpolate(curve, share, &LimitPoint::limit, &LimitPoint::kept_low),
          interpolate(curve, share, &LimitPoint::limit, &LimitPoint::kept_high)};
}

}  // namespace

Banded<double> decode_speed_at_limit(Watts power_limit, Watts tdp) { return kept_at(kDecode, power_limit, tdp); }
Banded<double> prefill_speed_at_limit(Watts power_limit, Watts tdp) { return kept_at(kPrefill, power_limit, tdp); }

}  // namespace oblea
