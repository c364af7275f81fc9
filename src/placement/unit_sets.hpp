// UnitSets: the sets of units used so far while items are handed out, and which unit may come next.
#pragma once

#include <span>
#include <vector>

#include "placement/partition.hpp"

namespace oblea {

// Units of equal capacity and speed are one class. In the given order a set is a length; in any order it is a count of
// each class, in mixed radix. A step always leads to a set of larger index.
class UnitSets {
 public:
  UnitSets(std::span<const PartitionUnit> units, UnitOrder order);

  int count() const { return count_; }
  bool every_order_tried() const { return every_order_tried_; }
  bool equal_speeds() const { return equal_speeds_; }
  const std::vector<PartitionUnit>& classes() const { return classes_; }

  // Calls visit(class, next set) for every unit class that may follow.
  template <class Visit>
  void for_each_step(int set, Visit visit) const {
    if (chain_) {
      if (set + 1 < count_) visit(class_of_unit_[static_cast<std::size_t>(set)], set + 1);
      return;
    }
    for (std::size_t c = 0; c < classes_.size(); ++c) {
      const int used = set / strides_[c] % (members_[c] + 1);
      if (used < members_[c]) visit(static_cast<int>(c), set + strides_[c]);
    }
  }

  // Names the unit of every run that holds its class in `unit`: the members of a class come in the order given.
  void name_units(std::vector<Run>& runs, std::span<const int> sets) const;

 private:
  bool chain_ = true;
  bool every_order_tried_ = true;
  bool equal_speeds_ = true;
  int count_ = 1;
  std::vector<PartitionUnit> classes_;
  std::vector<int> class_of_unit_;
  std::vector<int> members_;
  std::vector<int> strides_;
};

}  // namespace oblea
