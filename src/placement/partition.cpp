#include "placement/partition.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/check.hpp"
#include "placement/partition_search.hpp"
#include "placement/unit_sets.hpp"

namespace oblea {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

// No cut can be faster than all units busy all the time.
double time_floor(const PartitionSearch& search, std::span<const PartitionUnit> units) {
  double bytes_per_second = 0;
  for (const PartitionUnit& unit : units) bytes_per_second += 1.0 / unit.seconds_per_byte;
  return search.read(0, search.count()) / bytes_per_second * (1 - 1e-12);
}

// A number at least `low` and below `high`: the middle of two neighbours rounds to either of them, and a probe at
// `high` would learn nothing, for ever.
double between(double low, double high) {
  const double middle = low + (high - low) / 2;
  return middle < high ? middle : low;
}

// The least slowest run. Leaves the pass with that bound in `search`; returns its final set, -1 when nothing fits.
int least_slowest(PartitionSearch& search, std::span<const PartitionUnit> units, double& slowest) {
  Pass pass = search.run({});
  if (pass.final_set < 0) return -1;
  double high = search.reach(pass.final_set).slowest;  // reached
  double low = time_floor(search, units);              // nothing below it can be reached
  double probe = low;
  while (low < high) {
    pass = search.run({.seconds = probe});
    if (pass.final_set >= 0) {
      high = search.reach(pass.final_set).slowest;
    } else {
      low = pass.lift_seconds;
    }
    probe = between(low, high);
  }
  slowest = high;
  return search.run({.seconds = high}).final_set;
}

bool is_better(const Partition& a, const Partition& b) {
  return a.slowest != b.slowest ? a.slowest < b.slowest : a.sum < b.sum;
}

// The fastest unit that can hold everything thanks to the discount.
std::optional<Partition> whole_on_one_unit(const PartitionSearch& search, const PartitionItems& items,
                                           std::span<const PartitionUnit> units) {
  std::optional<Partition> best;
  for (std::size_t i = 0; i < units.size(); ++i) {
    if (search.memory(0, search.count()) - items.whole_discount > units[i].capacity) continue;
    const double time = units[i].seconds_per_byte * search.read(0, search.count());
    if (best && best->slowest <= time) continue;
    best = Partition{{{static_cast<int>(i), 0, search.count()}}, time, time, search.sets().every_order_tried()};
  }
  return best;
}

}  // namespace

std::optional<Partition> solve_partition(const PartitionItems& items, std::span<const PartitionUnit> units,
                                         UnitOrder order) {
  if (units.empty()) return std::nullopt;
  const UnitSets sets(units, order);
  PartitionSearch search(items, sets);
  std::optional<Partition> best;
  double slowest = 0;
  const int final_set = least_slowest(search, units, slowest);
  if (final_set >= 0) best = sets.equal_speeds() ? search.path_to(final_set) : least_sum(search, slowest);
  if (items.whole_discount > 0) {
    std::optional<Partition> whole = whole_on_one_unit(search, items, units);
    if (whole && (!best || is_better(*whole, *best))) best = std::move(whole);
  }
  return best;
}

bool partition_exists(const PartitionItems& items, std::span<const PartitionUnit> units, UnitOrder order) {
  if (units.empty()) return false;
  const UnitSets sets(units, order);
  PartitionSearch search(items, sets);
  if (search.run({}).final_set >= 0) return true;
  return items.whole_discount > 0 && whole_on_one_unit(search, items, units).has_value();
}

Shortfall least_shortfall(const PartitionItems& items, std::span<const PartitionUnit> units, UnitOrder order) {
  OBLEA_CHECK(!units.empty(), "a shortfall is of some unit");
  const UnitSets sets(units, order);
  PartitionSearch search(items, sets);
  const double all = search.memory(0, search.count());
  const auto largest = std::max_element(units.begin(), units.end(),
                                        [](const auto& a, const auto& b) { return a.capacity < b.capacity; });
  double high = all - std::floor(largest->capacity);  // everything on the largest unit
  double low = 0;
  double probe = 0;
  while (low < high) {
    const Pass pass = search.run({.slack = probe});
    if (pass.final_set >= 0) {
      high = search.reach(pass.final_set).overflow;
    } else {
      low = pass.lift_slack;
    }
    probe = between(low, high);
  }
  Shortfall shortfall{std::max(high, 0.0), {}};
  const Pass pass = search.run({.slack = shortfall.bytes});
  OBLEA_CHECK(pass.final_set >= 0, "the shortfall found lets a cut exist");
  double worst = -kInfinity;
  for (const Run& run : search.path_to(pass.final_set).runs) {
    const double overflow = search.memory(run.begin, run.end) - units[static_cast<std::size_t>(run.unit)].capacity;
    if (overflow > worst) {
      worst = overflow;
      shortfall.run = run;
    }
  }
  const double whole = all - items.whole_discount - largest->capacity;
  if (items.whole_discount > 0 && whole < shortfall.bytes) {
    shortfall = {std::max(whole, 0.0), {static_cast<int>(largest - units.begin()), 0, search.count()}};
  }
  return shortfall;
}

}  // namespace oblea
