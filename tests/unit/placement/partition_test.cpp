#include "placement/partition.hpp"

#include <gtest/gtest.h>

namespace oblea {
namespace {

// n items of one byte each, read once.
struct Row {
  explicit Row(int n) {
    for (int i = 0; i <= n; ++i) sums.push_back(i);
  }
  PartitionItems items() const { return {sums, sums, 0}; }
  std::vector<double> sums;
};

TEST(Partition, ExampleOfTheHeader) {
  const Row row(9);
  const std::vector<PartitionUnit> units{{6, 1}, {4, 2}};
  const auto p = solve_partition(row.items(), units, UnitOrder::as_given);
  ASSERT_TRUE(p.has_value());
  ASSERT_EQ(p->runs.size(), 2u);
  EXPECT_EQ(p->runs[0].end, 6);
  EXPECT_EQ(p->slowest, 6);
  EXPECT_EQ(p->sum, 12);
}

// 10 items on a unit of speed 1 and one of speed 1/3: 7 and 3 take 7 and 9; 8 and 2 take 8 and 6, so 8 is the best
// bound.
TEST(Partition, BalancesTimeNotCount) {
  const Row row(10);
  const std::vector<PartitionUnit> units{{100, 1}, {100, 3}};
  const auto p = solve_partition(row.items(), units, UnitOrder::as_given);
  ASSERT_TRUE(p.has_value());
  EXPECT_EQ(p->runs[0].end, 8);
  EXPECT_EQ(p->slowest, 8);
}

// Items of 5, 1 and 5 bytes: units of 5 and 6 in this order hold 5 | 1 + 5; units of 6 and 5 hold 5 + 1 | 5. Items of
// 1, 5 and 5 need the larger unit first.
TEST(Partition, FindsTheOrderThatFits) {
  const std::vector<double> sums{0, 1, 6, 11};
  const PartitionItems items{sums, sums, 0};
  const std::vector<PartitionUnit> units{{5, 1}, {6, 1}};
  EXPECT_FALSE(solve_partition(items, units, UnitOrder::as_given).has_value());
  const auto p = solve_partition(items, units, UnitOrder::best);
  ASSERT_TRUE(p.has_value());
  EXPECT_EQ(p->runs[0].unit, 1);
  EXPECT_EQ(p->runs[1].unit, 0);
}

TEST(Partition, LeavesAUnitEmptyThatHoldsNoItem) {
  const Row row(3);
  const std::vector<PartitionUnit> units{{0.5, 1}, {3, 1}};
  const auto p = solve_partition(row.items(), units, UnitOrder::as_given);
  ASSERT_TRUE(p.has_value());
  ASSERT_EQ(p->runs.size(), 1u);
  EXPECT_EQ(p->runs[0].unit, 1);
}

// 10 items, room for 4 and 3: 7 fit. With 2 bytes more on each, 6 + 5 hold 10; with 1, 5 + 4 = 9 do not.
TEST(Partition, ShortfallIsWhatEveryUnitLacks) {
  const Row row(10);
  const std::vector<PartitionUnit> units{{4, 1}, {3, 1}};
  EXPECT_FALSE(partition_exists(row.items(), units, UnitOrder::best));
  EXPECT_EQ(least_shortfall(row.items(), units, UnitOrder::best).bytes, 2);
}

// Nine different units have 512 sets, ten 1,024, eleven 2,048: past the limit the order given is kept, and said so.
TEST(Partition, SaysWhenThereAreTooManyOrdersToTry) {
  const Row row(20);
  std::vector<PartitionUnit> units;
  for (int i = 0; i < 10; ++i) units.push_back({10.0 + i, 1});
  EXPECT_TRUE(solve_partition(row.items(), units, UnitOrder::best)->every_order_tried);
  units.push_back({30, 1});
  EXPECT_FALSE(solve_partition(row.items(), units, UnitOrder::best)->every_order_tried);
}

TEST(Partition, NoUnitsHoldNothing) {
  const Row row(1);
  EXPECT_FALSE(solve_partition(row.items(), {}, UnitOrder::best).has_value());
  EXPECT_FALSE(partition_exists(row.items(), {}, UnitOrder::best));
}

}  // namespace
}  // namespace oblea
