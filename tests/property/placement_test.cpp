// The fast planner is as good as trying everything, on random small cases. A failure prints its seed.
#include <algorithm>
#include <numeric>

#include <gtest/gtest.h>

#include <boost/random/uniform_int_distribution.hpp>

#include "base/random.hpp"
#include "placement/exhaustive.hpp"
#include "placement/partition.hpp"

namespace oblea {
namespace {

struct Case {
  std::vector<double> memory{0};
  std::vector<double> read{0};
  std::vector<PartitionUnit> units;
  double whole_discount = 0;
  UnitOrder order = UnitOrder::best;

  PartitionItems items() const { return {memory, read, whole_discount}; }
};

int draw(RandomStream& random, int low, int high) {
  return boost::random::uniform_int_distribution<int>(low, high)(random);
}

// Small whole numbers, so that ties and exactly full units are common.
Case make_case(std::uint64_t seed) {
  RandomStream random = make_random_stream(seed, "placement");
  Case c;
  const int count = draw(random, 1, 9);
  const int units = draw(random, 1, 4);
  const int kinds = draw(random, 1, 3);
  double largest = 0;
  for (int i = 0; i < count; ++i) {
    const double memory = draw(random, 1, kinds == 1 ? 2 : 9);
    c.memory.push_back(c.memory.back() + memory);
    c.read.push_back(c.read.back() + draw(random, 0, 1) * memory + draw(random, 0, 3));
    largest = std::max(largest, memory);
  }
  std::vector<PartitionUnit> catalogue;
  const int share = static_cast<int>(c.memory.back()) / units;
  for (int k = 0; k < kinds; ++k) {
    catalogue.push_back(
        {static_cast<double>(draw(random, share / 2, 2 * share + 3)), static_cast<double>(draw(random, 1, 4))});
  }
  for (int u = 0; u < units; ++u) c.units.push_back(catalogue[static_cast<std::size_t>(draw(random, 0, kinds - 1))]);
  if (draw(random, 0, 3) == 0) c.whole_discount = std::min(c.memory[1], static_cast<double>(draw(random, 1, 4)));
  c.order = draw(random, 0, 1) == 0 ? UnitOrder::as_given : UnitOrder::best;
  return c;
}

// Every item on one unit, in order, no unit twice, none overfull; and the figures are those of the runs.
void expect_sound(const Case& c, const Partition& p) {
  int next = 0;
  double slowest = 0;
  double sum = 0;
  std::vector<int> used;
  for (const Run& run : p.runs) {
    EXPECT_EQ(run.begin, next);
    EXPECT_GT(run.end, run.begin);
    next = run.end;
    const PartitionUnit& unit = c.units[static_cast<std::size_t>(run.unit)];
    const double discount = p.runs.size() == 1 ? c.whole_discount : 0;
    EXPECT_LE(c.memory[run.end] - c.memory[run.begin] - discount, unit.capacity);
    slowest = std::max(slowest, unit.seconds_per_byte * (c.read[run.end] - c.read[run.begin]));
    sum += unit.seconds_per_byte * (c.read[run.end] - c.read[run.begin]);
    used.push_back(run.unit);
  }
  EXPECT_EQ(next, static_cast<int>(c.memory.size()) - 1);
  EXPECT_EQ(slowest, p.slowest);
  EXPECT_EQ(sum, p.sum);
  if (c.order == UnitOrder::as_given) {
    EXPECT_TRUE(std::is_sorted(used.begin(), used.end()));
  }
  std::sort(used.begin(), used.end());
  EXPECT_EQ(std::adjacent_find(used.begin(), used.end()), used.end());
}

constexpr std::uint64_t kCases = 3000;

TEST(PlacementProperty, FastPlannerIsAsGoodAsTryingEverything) {
  int fitting = 0;
  for (std::uint64_t seed = 1; seed <= kCases; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    const Case c = make_case(seed);
    const auto fast = solve_partition(c.items(), c.units, c.order);
    const auto slow = solve_partition_exhaustively(c.items(), c.units, c.order);
    ASSERT_EQ(fast.has_value(), slow.has_value());
    EXPECT_EQ(partition_exists(c.items(), c.units, c.order), slow.has_value());
    if (!fast) continue;
    ++fitting;
    expect_sound(c, *fast);
    EXPECT_EQ(fast->slowest, slow->slowest);
    EXPECT_EQ(fast->sum, slow->sum);
    if (HasFailure()) return;
  }
  EXPECT_GT(fitting, static_cast<int>(kCases / 3));
  EXPECT_LT(fitting, static_cast<int>(kCases));
}

// The shortfall is exact: with it a cut exists, with one byte less none does.
TEST(PlacementProperty, ShortfallIsExactToTheByte) {
  for (std::uint64_t seed = 1; seed <= kCases; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    Case c = make_case(seed);
    if (partition_exists(c.items(), c.units, c.order)) continue;
    const Shortfall shortfall = least_shortfall(c.items(), c.units, c.order);
    const std::vector<PartitionUnit> units = c.units;
    for (PartitionUnit& unit : c.units) unit.capacity += shortfall.bytes;
    EXPECT_TRUE(partition_exists(c.items(), c.units, c.order));
    for (PartitionUnit& unit : c.units) unit.capacity -= 1;
    EXPECT_FALSE(partition_exists(c.items(), c.units, c.order));
    if (HasFailure()) return;
  }
}

// More memory on any unit never makes the answer worse.
TEST(PlacementProperty, MoreMemoryNeverHurts) {
  for (std::uint64_t seed = 1; seed <= kCases; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    Case c = make_case(seed);
    const auto before = solve_partition(c.items(), c.units, c.order);
    c.units[seed % c.units.size()].capacity += 3;
    const auto after = solve_partition(c.items(), c.units, c.order);
    if (!before) continue;
    ASSERT_TRUE(after.has_value());
    EXPECT_LE(after->slowest, before->slowest);
  }
}

}  // namespace
}  // namespace oblea
