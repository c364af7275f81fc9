#include "placement/partition_search.hpp"

#include "base/check.hpp"

namespace oblea {
namespace {

// The largest end in [begin, limit] that is allowed; `begin` itself always is.
template <class Allowed>
int last_end(int begin, int limit, Allowed allowed) {
  if (allowed(limit)) return limit;
  int low = begin;
  while (limit - low > 1) {
    const int middle = low + (limit - low) / 2;
    (allowed(middle) ? low : limit) = middle;
  }
  return low;
}

}  // namespace

PartitionSearch::PartitionSearch(const PartitionItems& items, const UnitSets& sets)
    : items_(items), sets_(sets), count_(static_cast<int>(items.memory.size()) - 1), reach_(sets.count()) {
  OBLEA_CHECK(items.memory.size() == items.read.size() && count_ >= 0, "prefix sums of one row of items");
}

Pass PartitionSearch::run(const Bounds& bounds) {
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

Partition PartitionSearch::path_to(int final_set) const {
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

Partition PartitionSearch::finish(Partition partition, std::vector<int> before) const {
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

void PartitionSearch::extend(int set, int unit_class, int next, const Bounds& bounds, Pass& pass) {
  const PartitionUnit& unit = sets_.classes()[static_cast<std::size_t>(unit_class)];
  const int begin = reach(set).end;
  const double room = unit.capacity + bounds.slack;
  const int memory_end = last_end(begin, count_, [&](int end) { return memory(begin, end) <= room; });
  if (memory_end < count_) {
    pass.lift_slack = std::min(pass.lift_slack, memory(begin, memory_end + 1) - unit.capacity);
  }
  int end = memory_end;
  if (bounds.seconds < std::numeric_limits<double>::infinity()) {
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

}  // namespace oblea
