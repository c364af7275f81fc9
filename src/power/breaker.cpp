#include "power/breaker.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>

#include "base/check.hpp"

namespace oblea {
namespace {

constexpr double kNever = std::numeric_limits<double>::infinity();

struct CurvePoint {
  double multiple;
  double seconds;
};

// Below the first point it does not open.
constexpr CurvePoint kEarliestB[] = {{1.13, 3600}, {2.55, 1}, {3, 0.1}, {3.01, 0.01}};
constexpr CurvePoint kLatestB[] = {{1.45, 3600}, {2.55, 60}, {5, 0.1}};
constexpr CurvePoint kEarliestC[] = {{1.13, 3600}, {2.55, 1}, {5, 0.1}, {5.01, 0.01}};
constexpr CurvePoint kLatestC[] = {{1.45, 3600}, {2.55, 60}, {5, 15}, {10, 0.1}};
constexpr CurvePoint kEarliestUs[] = {{1.0, 3600}, {2, 10}, {5, 0.02}};
constexpr CurvePoint kLatestUs[] = {{1.35, 3600}, {2, 120}, {20, 0.1}};

struct CurveEnds {
  std::span<const CurvePoint> earliest;
  std::span<const CurvePoint> latest;
};

CurveEnds ends_of(BreakerCurve curve) {
  if (curve == BreakerCurve::b) return {kEarliestB, kLatestB};
  if (curve == BreakerCurve::c) return {kEarliestC, kLatestC};
  return {kEarliestUs, kLatestUs};
}

double seconds_at(std::span<const CurvePoint> points, double multiple) {
  if (multiple < points.front().multiple) return kNever;
  for (std::size_t i = 1; i < points.size(); ++i) {
    const CurvePoint& left = points[i - 1];
    const CurvePoint& right = points[i];
    if (multiple >= right.multiple) continue;
    const double way = std::log(multiple / left.multiple) / std::log(right.multiple / left.multiple);
    return left.seconds * std::pow(right.seconds / left.seconds, way);
  }
  return points.back().seconds;
}

}  // namespace

BreakerCurve usual_curve(const Circuit& circuit) {
  return circuit.id.starts_with("us-") ? BreakerCurve::us : BreakerCurve::b;
}

Banded<Seconds> time_to_trip(BreakerCurve curve, double multiple) {
  OBLEA_CHECK(multiple >= 0, "a current is not negative");
  const CurveEnds ends = ends_of(curve);
  // The first currents above which it may and must open carry no opening themselves.
  if (multiple <= ends.earliest.front().multiple) return {Seconds(kNever), Seconds(kNever), Seconds(kNever)};
  const double early = seconds_at(ends.earliest, multiple);
  const double late = seconds_at(ends.latest, multiple);
  const double even = std::sqrt(ends.earliest.front().multiple * ends.latest.front().multiple);
  const double middle = multiple < even ? kNever : std::sqrt(early * std::min(late, 3600.0));
  return {Seconds(middle), Seconds(early), Seconds(late)};
}

Banded<Seconds> circuit_time_to_trip(const Circuit& circuit, BreakerCurve curve, Watts build, Watts others) {
  return time_to_trip(curve, (build + others) / breaker_watts(circuit));
}

}  // namespace oblea
