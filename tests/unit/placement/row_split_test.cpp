#include "placement/row_split.hpp"

#include <array>

#include <gtest/gtest.h>

namespace oblea {
namespace {

// 5,120 x 0.49 = 2,508.8 rows: 19 steps of 128 are 2,432.
TEST(RowSplit, BordersFallOnWholeSteps) {
  const std::array<double, 2> uneven{0.49, 0.51};
  EXPECT_EQ(split_rows(5120, uneven, 128), (std::vector<std::int64_t>{2432, 2688}));
  const std::array<double, 2> even{0.5, 0.5};
  EXPECT_EQ(split_rows(5120, even, 128), (std::vector<std::int64_t>{2560, 2560}));
  EXPECT_EQ(split_rows(100, even, 128), (std::vector<std::int64_t>{0, 100}));
}

TEST(RowSplit, SharesNeedNotAddUpToOne) {
  const std::array<double, 3> shares{1, 2, 1};
  EXPECT_EQ(split_rows(4096, shares, 64), (std::vector<std::int64_t>{1024, 2048, 1024}));
}

TEST(RowSplit, TheWorstMatrixCounts) {
  const std::array<double, 2> uneven{0.49, 0.51};
  const std::array<std::int64_t, 2> rows{5120, 1024};  // 1,024 x 0.49 = 501.8: 384 and 640
  const std::vector<double> worst = worst_shares(rows, uneven, 128);
  EXPECT_DOUBLE_EQ(worst[0], 0.475);
  EXPECT_DOUBLE_EQ(worst[1], 0.625);
}

}  // namespace
}  // namespace oblea
