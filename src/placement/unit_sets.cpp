#include "placement/unit_sets.hpp"

#include <cmath>

#include "base/check.hpp"

namespace oblea {

UnitSets::UnitSets(std::span<const PartitionUnit> units, UnitOrder order) {
  class_of_unit_.reserve(units.size());
  for (const PartitionUnit& unit : units) {
    const PartitionUnit whole{std::floor(unit.capacity), unit.seconds_per_byte};  // whole bytes keep sums exact
    std::size_t c = 0;
    while (c < classes_.size() &&
           !(classes_[c].capacity == whole.capacity && classes_[c].seconds_per_byte == whole.seconds_per_byte)) {
      ++c;
    }
    if (c == classes_.size()) {
      OBLEA_CHECK(unit.seconds_per_byte > 0, "a unit reads at some speed");
      classes_.push_back(whole);
      members_.push_back(0);
    }
    ++members_[c];
    class_of_unit_.push_back(static_cast<int>(c));
    if (whole.seconds_per_byte != classes_[0].seconds_per_byte) equal_speeds_ = false;
  }
  count_ = static_cast<int>(units.size()) + 1;
  if (order == UnitOrder::as_given || classes_.size() <= 1) return;
  long long sets = 1;
  for (int members : members_) {
    strides_.push_back(static_cast<int>(sets));
    sets *= members + 1;
    if (sets > kMaxUnitSets) {
      every_order_tried_ = false;
      return;
    }
  }
  chain_ = false;
  count_ = static_cast<int>(sets);
}

void UnitSets::name_units(std::vector<Run>& runs, std::span<const int> sets) const {
  if (chain_) {
    for (std::size_t i = 0; i < runs.size(); ++i) runs[i].unit = sets[i];  // the unit after `set` units is number `set`
    return;
  }
  std::vector<int> next(classes_.size(), 0);
  for (Run& run : runs) {
    int& unit = next[static_cast<std::size_t>(run.unit)];
    while (class_of_unit_[static_cast<std::size_t>(unit)] != run.unit) ++unit;
    run.unit = unit++;
  }
}

}  // namespace oblea
