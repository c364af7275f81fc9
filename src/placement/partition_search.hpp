// Search: one pass that hands out items to units under a bound on time and a slack on memory, and the way it took.
#pragma once

#include <algorithm>
#include <limits>
#include <vector>

#include "placement/partition.hpp"
#include "placement/unit_sets.hpp"

namespace oblea {

// How far each set of units gets, and by which last run.
struct Reach {
  int end = -1;   // items handed out; -1: not reached yet
  int begin = 0;  // of the last run
  int unit_class = -1;
  int previous_set = 0;
  double slowest = 0;   // along the way here
  double overflow = 0;  // bytes past a capacity, along the way here
};

struct Bounds {
  double seconds = std::numeric_limits<double>::infinity();  // a run's time at most
  double slack = 0;                                          // bytes added to every capacity
};

// What one pass found. Lifts: the least larger bound under which some unit would take one item more.
struct Pass {
  int final_set = -1;  // first set that takes everything; -1: none
  double lift_seconds = std::numeric_limits<double>::infinity();
  double lift_slack = std::numeric_limits<double>::infinity();
};

class PartitionSearch {
 public:
  PartitionSearch(const PartitionItems& items, const UnitSets& sets);

  int count() const { return count_; }
  double memory(int begin, int end) const { return items_.memory[end] - items_.memory[begin]; }
  double read(int begin, int end) const { return items_.read[end] - items_.read[begin]; }
  const Reach& reach(int set) const { return reach_[static_cast<std::size_t>(set)]; }
  const UnitSets& sets() const { return sets_; }

  Pass run(const Bounds& bounds);

  // The runs of the last pass, in order.
  Partition path_to(int final_set) const;

  // Completes a partition whose runs come from last to first and name classes; `before`: the set of units used before
  // each.
  Partition finish(Partition partition, std::vector<int> before) const;

 private:
  void extend(int set, int unit_class, int next, const Bounds& bounds, Pass& pass);

  PartitionItems items_;
  const UnitSets& sets_;
  int count_;
  std::vector<Reach> reach_;
};

// Among the cuts whose runs take at most `slowest` seconds, one of least sum.
Partition least_sum(const PartitionSearch& search, double slowest);

}  // namespace oblea
