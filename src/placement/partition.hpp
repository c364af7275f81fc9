// Partition: cut a row of items into contiguous runs, one a unit, so that the slowest run is fast and no unit
// overflows.
//
// Exact. With a bound T on a run's time, a unit that takes as many items as memory and T allow never hurts the units
// behind it, so "does T work?" needs one pass. The least T is found by bisection that jumps from candidate to
// candidate: every failed T names the least larger one that could change anything. Where units differ and any order is
// allowed, the pass runs over the multisets of units used so far. Among cuts with the least slowest run the least sum
// is a shortest path.
#pragma once

#include <optional>
#include <span>
#include <vector>

namespace oblea {

// Prefix sums over n items, n + 1 values each; run [begin, end) weighs sum[end] - sum[begin].
struct PartitionItems {
  std::span<const double> memory;  // bytes
  std::span<const double> read;    // bytes of one pass
  double whole_discount = 0;       // bytes saved where one unit holds every item
};

struct PartitionUnit {
  double capacity = 0;          // bytes
  double seconds_per_byte = 0;  // a run's time is seconds_per_byte x its read
};

enum class UnitOrder { as_given, best };

// Different sets of used units that are searched; with more, `best` falls back to `as_given`. Eight different units:
// 256.
inline constexpr int kMaxUnitSets = 1024;

struct Run {
  int unit = 0;
  int begin = 0;
  int end = 0;
};

struct Partition {
  std::vector<Run> runs;  // in order of items; units that hold nothing do not appear
  double slowest = 0;     // seconds
  double sum = 0;
  bool every_order_tried = true;
};

// Nothing when no cut respects every capacity.
// Example: items of 1 byte, read 1; two units of 6 and 4 bytes, 1 and 2 s/B; 9 items: 6 and 3, slowest 6 s, sum 12 s.
std::optional<Partition> solve_partition(const PartitionItems& items, std::span<const PartitionUnit> units,
                                         UnitOrder order);

bool partition_exists(const PartitionItems& items, std::span<const PartitionUnit> units, UnitOrder order);

// The least number of bytes that, added to every unit, lets a cut exist, and the run that needs all of it.
struct Shortfall {
  double bytes = 0;
  Run run;
};
Shortfall least_shortfall(const PartitionItems& items, std::span<const PartitionUnit> units, UnitOrder order);

}  // namespace oblea
