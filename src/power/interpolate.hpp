// Straight lines between points, clamped at both ends.
#pragma once

#include <cstddef>
#include <span>

#include "base/check.hpp"

namespace oblea {

// The value at `x` of points sorted by `at`. Example: points (0.2, 0.90) and (0.5, 0.92) give 0.91 at 0.35, 0.90 at
// 0.1.
template <class Point, class Value>
Value interpolate(std::span<const Point> points, double x, double Point::*at, Value Point::*value) {
  OBLEA_CHECK(!points.empty(), "a curve needs at least one point");
  if (!(x > points.front().*at)) return points.front().*value;
  for (std::size_t i = 1; i < points.size(); ++i) {
    const Point& left = points[i - 1];
    const Point& right = points[i];
    if (x < right.*at) return left.*value + (right.*value - left.*value) * ((x - left.*at) / (right.*at - left.*at));
  }
  return points.back().*value;
}

}  // namespace oblea
