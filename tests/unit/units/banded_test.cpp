#include "units/banded.hpp"

#include <gtest/gtest.h>

namespace oblea {
namespace {

TEST(Banded, EndsAddUpAsIfAllErrToTheSameSide) {
  Banded<double> sum{10, 8, 12};
  add(sum, Banded<double>{3, 2, 5}, 2);
  EXPECT_DOUBLE_EQ(sum.value, 16);
  EXPECT_DOUBLE_EQ(sum.low, 12);
  EXPECT_DOUBLE_EQ(sum.high, 22);
}

}  // namespace
}  // namespace oblea
