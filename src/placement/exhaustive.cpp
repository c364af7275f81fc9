#include "placement/exhaustive.hpp"

#include <algorithm>
#include <numeric>

#include "base/check.hpp"

namespace oblea {
namespace {

struct Trial {
  const PartitionItems& items;
  std::span<const PartitionUnit> units;
  std::vector<int> unit_order;
  Partition current;
  std::optional<Partition> best;

  int count() const { return static_cast<int>(items.memory.size()) - 1; }

  bool holds(const PartitionUnit& unit, int begin, int end) const {
    const bool whole = begin == 0 && end == count();
    const double memory = items.memory[end] - items.memory[begin] - (whole ? items.whole_discount : 0);
    return memory <= unit.capacity;
  }

  bool improves() const {
    if (!best || current.slowest != best->slowest) return !best || current.slowest < best->slowest;
    return current.sum < best->sum;
  }

  // Gives every possible run of items from `begin` on to the unit at `place` in the order.
  void hand_out(std::size_t place, int begin) {
    if (begin == count()) {
      if (improves()) best = current;
      return;
    }
    if (place == unit_order.size()) return;
    const int number = unit_order[place];
    const PartitionUnit& unit = units[static_cast<std::size_t>(number)];
    hand_out(place + 1, begin);
    for (int end = begin + 1; end <= count(); ++end) {
      if (!holds(unit, begin, end)) continue;
      const Partition before = current;
      const double time = unit.seconds_per_byte * (items.read[end] - items.read[begin]);
      current.runs.push_back({number, begin, end});
      current.slowest = std::max(current.slowest, time);
      current.sum += time;
      hand_out(place + 1, end);
      current = before;
    }
  }
};

}  // namespace

std::optional<Partition> solve_partition_exhaustively(const PartitionItems& items, std::span<const PartitionUnit> units,
                                                      UnitOrder order) {
  OBLEA_CHECK(units.size() <= 8 && items.memory.size() <= 17, "small enough to try everything");
  Trial trial{items, units, std::vector<int>(units.size()), {}, {}};
  std::iota(trial.unit_order.begin(), trial.unit_order.end(), 0);
  do {
    trial.hand_out(0, 0);
  } while (order == UnitOrder::best && std::next_permutation(trial.unit_order.begin(), trial.unit_order.end()));
  return trial.best;
}

}  // namespace oblea
