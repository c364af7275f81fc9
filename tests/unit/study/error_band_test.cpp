#include "study/error_band.hpp"

#include <gtest/gtest.h>

namespace oblea {
namespace {

TEST(ErrorBand, QuantilesInterpolateBetweenTheMiddlesOfTheWeights) {
  const std::vector<WeightedError> four{{3}, {1}, {4}, {2}};
  EXPECT_DOUBLE_EQ(weighted_quantile(four, 0.5), 2.5);
  EXPECT_DOUBLE_EQ(weighted_quantile(four, 0.125), 1);
  EXPECT_DOUBLE_EQ(weighted_quantile(four, 0.01), 1);
  EXPECT_DOUBLE_EQ(weighted_quantile(four, 0.99), 4);
  // Weights 3 and 1: the middles lie at 0.375 and 0.875, so a half is a quarter of the way from 0 to 10.
  EXPECT_DOUBLE_EQ(weighted_quantile({{0, 3}, {10, 1}}, 0.5), 2.5);
}

TEST(ErrorBand, AlwaysHoldsTheCaseOfNoError) {
  const ErrorBand band = error_band({{0.1}, {0.2}, {0.3}}, 0.05);
  EXPECT_DOUBLE_EQ(band.low, 0);
  EXPECT_DOUBLE_EQ(band.high, 0.3);
}

}  // namespace
}  // namespace oblea
