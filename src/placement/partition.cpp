#include "placement/partition.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/check.hpp"
#include "placement/unit_sets.hpp"

namespace oblea {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

// How far each set of units gets, and by which last run.
struct Reach {
  int end = -1;           // items handed out; -1: not reached yet
  int begin = 0;          // of the last run
  int unit_class = -1;
  int previous_set = 0;
  double slowest = 0;     // along the way here
  double overflow = 0;    // bytes past a capacity, along the way here
};

struct Bounds {
  double seconds = kInfinity;  // a run's time at most
  double slack = 0;            // bytes added to every capacity
};

// What one pass found. Lifts: the least larger bound under which some unit would take one item more.
struct Pass {
  int final_set = -1;  // first set that takes everything; -1: none
  double lift_seconds = kInfinity;
  double lift_slack = kInfinity;
};

class Search {
 public:
  Search(const PartitionItems& items, const UnitSets& sets)
      : items_(items), sets_(sets), count_(static_cast<int>(items.memory.size()) - 1), reach_(sets.count()) {
    OBLEA_CHECK(items.memory.size() == items.read.size() && count_ >= 0, "prefix sums of one row of items");
  }

  int count() const { return count_; }
  double memory(int begin, int end) const { return items_.memory[end] - items_.memory[begin]; }
  double read(int begin, int end) const { return items_.read[end] - items_.read[begin]; }
  const Reach& reach(int set) const { return reach_[static_cast<std::size_t>(set)]; }

  Pass run(const Bounds& bounds) {
    Pass pass;
    for (Reach& reach : reach_) reach.end = -1;
    reach_[0] = Reach{.end = 0};
    for (int set = 0; set < sets_.count(); ++set) {
      if (reach(set).end < 0) continue;
      if (reach(set).end == count_) {
        pass.final_set = set;
        return pass;
      }
      sets_.for_each_step(set, [&](int unit_class, int next) { extend(set, unit_class, next, bounds, pass); });
    }
    return pass;
  }

  // The runs of the last pass, in order, and the set of units used before each.
  Partition path_to(int final_set) const {
    Partition partition;
    std::vector<int> before;
    for (int set = final_set; set != 0; set = reach(set).previous_set) {
      const Reach& r = reach(set);
      if (r.begin == r.end) continue;
      partition.runs.push_back({r.unit_class, r.begin, r.end});
      before.push_back(r.previous_set);
    }
    return finish(std::move(partition), std::move(before));
  }

  // Runs and sets come from last to first.
  Partition finish(Partition partition, std::vector<int> before) const {
    std::reverse(partition.runs.begin(), partition.runs.end());
    std::reverse(before.begin(), before.end());
    for (const Run& run : partition.runs) {
      const double time = sets_.classes()[static_cast<std::size_t>(run.unit)].seconds_per_byte * read(run.begin, run.end);
      partition.slowest = std::max(partition.slowest, time);
      partition.sum += time;
    }
    sets_.name_units(partition.runs, before);
    partition.every_order_tried = sets_.every_order_tried();
    return partition;
  }

  const UnitSets& sets() const { return sets_; }

 private:
  void extend(int set, int unit_class, int next, const Bounds& bounds, Pass& pass) {
    const PartitionUnit& unit = sets_.classes()[static_cast<std::size_t>(unit_class)];
    const int begin = reach(set).end;
    const double room = unit.capacity + bounds.slack;
    const int memory_end = last_end(begin, count_, [&](int end) { return memory(begin, end) <= room; });
    if (memory_end < count_) {
      pass.lift_slack = std::min(pass.lift_slack, memory(begin, memory_end + 1) - unit.capacity);
    }
    int end = memory_end;
    if (bounds.seconds < kInfinity) {
      const double speed = unit.seconds_per_byte;
      end = last_end(begin, memory_end, [&](int e) { return speed * read(begin, e) <= bounds.seconds; });
      if (end < memory_end) pass.lift_seconds = std::min(pass.lift_seconds, speed * read(begin, end + 1));
    }
    const double slowest = std::max(reach(set).slowest, unit.seconds_per_byte * read(begin, end));
    Reach& target = reach_[static_cast<std::size_t>(next)];
    if (end < target.end || (end == target.end && slowest >= target.slowest)) return;
    const double overflow = std::max(reach(set).overflow, end > begin ? memory(begin, end) - unit.capacity : 0.0);
    target = {end, begin, unit_class, set, slowest, overflow};
  }

  // The largest end in [begin, limit] that is allowed; `begin` itself always is.
  template <class Allowed>
  static int last_end(int begin, int limit, Allowed allowed) {
    if (allowed(limit)) return limit;
    int low = begin;
    while (limit - low > 1) {
      const int middle = low + (limit - low) / 2;
      (allowed(middle) ? low : limit) = middle;
    }
    return low;
  }

  PartitionItems items_;
  const UnitSets& sets_;
  int count_;
  std::vector<Reach> reach_;
};

// No cut can be faster than all units busy all the time.
double time_floor(const Search& search, std::span<const PartitionUnit> units) {
  double bytes_per_second = 0;
  for (const PartitionUnit& unit : units) bytes_per_second += 1.0 / unit.seconds_per_byte;
  return search.read(0, search.count()) / bytes_per_second * (1 - 1e-12);
}

// The least slowest run. Leaves the pass with that bound in `search`; returns its final set, -1 when nothing fits.
int least_slowest(Search& search, std::span<const PartitionUnit> units, double& slowest) {
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
    probe = low + (high - low) / 2;
  }
  slowest = high;
  return search.run({.seconds = high}).final_set;
}

// Among the cuts whose runs take at most `slowest`, one of least sum: a shortest path over (set of units, items handed out),
// with a sliding minimum because a unit's shortest allowed begin only moves forward.
Partition least_sum(const Search& search, double slowest) {
  const UnitSets& sets = search.sets();
  const int width = search.count() + 1;
  struct Node {
    double sum = kInfinity;
    int begin = 0;
    int unit_class = -1;
    int previous_set = 0;
  };
  std::vector<Node> nodes(static_cast<std::size_t>(sets.count()) * static_cast<std::size_t>(width));
  const auto node = [&](int set, int end) -> Node& {
    return nodes[static_cast<std::size_t>(set) * static_cast<std::size_t>(width) + static_cast<std::size_t>(end)];
  };
  node(0, 0).sum = 0;
  std::vector<int> queue(static_cast<std::size_t>(width));
  for (int set = 0; set < sets.count(); ++set) {
    sets.for_each_step(set, [&](int unit_class, int next) {
      const PartitionUnit& unit = sets.classes()[static_cast<std::size_t>(unit_class)];
      const auto key = [&](int begin) { return node(set, begin).sum - unit.seconds_per_byte * search.read(0, begin); };
      std::size_t head = 0;
      std::size_t tail = 0;
      for (int end = 0; end < width; ++end) {
        if (node(set, end).sum < kInfinity) {
          while (tail > head && key(queue[tail - 1]) > key(end)) --tail;
          queue[tail++] = end;
        }
        while (tail > head && (search.memory(queue[head], end) > unit.capacity ||
                               unit.seconds_per_byte * search.read(queue[head], end) > slowest)) {
          ++head;
        }
        if (tail == head) continue;
        const int begin = queue[head];
        const double sum = node(set, begin).sum + unit.seconds_per_byte * search.read(begin, end);
        if (sum < node(next, end).sum) node(next, end) = {sum, begin, unit_class, set};
      }
    });
  }
  int best = 0;
  for (int set = 0; set < sets.count(); ++set) {
    if (node(set, width - 1).sum < node(best, width - 1).sum) best = set;
  }
  Partition partition;
  std::vector<int> before;
  for (int set = best, end = width - 1; set != 0;) {
    const Node& n = node(set, end);
    if (n.begin < end) {
      partition.runs.push_back({n.unit_class, n.begin, end});
      before.push_back(n.previous_set);
    }
    set = n.previous_set;
    end = n.begin;
  }
  return search.finish(std::move(partition), std::move(before));
}

bool is_better(const Partition& a, const Partition& b) {
  return a.slowest != b.slowest ? a.slowest < b.slowest : a.sum < b.sum;
}

// The fastest unit that can hold everything thanks to the discount.
std::optional<Partition> whole_on_one_unit(const Search& search, const PartitionItems& items,
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
  Search search(items, sets);
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
  Search search(items, sets);
  if (search.run({}).final_set >= 0) return true;
  return items.whole_discount > 0 && whole_on_one_unit(search, items, units).has_value();
}

Shortfall least_shortfall(const PartitionItems& items, std::span<const PartitionUnit> units, UnitOrder order) {
  OBLEA_CHECK(!units.empty(), "a shortfall is of some unit");
  const UnitSets sets(units, order);
  Search search(items, sets);
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
    probe = low + (high - low) / 2;
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
