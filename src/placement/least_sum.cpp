// The second aim of a partition: the least sum of run times among the cuts whose slowest run is bounded.
#include "placement/partition_search.hpp"

namespace oblea {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

// The best way to hand out so many items to a set of units.
struct Node {
  double sum = kInfinity;
  int begin = 0;  // of the last run
  int unit_class = -1;
  int previous_set = 0;
};

class SumTable {
 public:
  explicit SumTable(const PartitionSearch& search)
      : search_(search),
        width_(static_cast<std::size_t>(search.count()) + 1),
        nodes_(static_cast<std::size_t>(search.sets().count()) * width_),
        queue_(width_) {
    node(0, 0).sum = 0;
  }

  Node& node(int set, int end) {
    return nodes_[static_cast<std::size_t>(set) * width_ + static_cast<std::size_t>(end)];
  }

  // Every end that a unit of this class may reach from `set`. The least start is a sliding minimum, because a unit's
  // earliest allowed begin only moves forward with its end.
  void step(int set, int unit_class, int next, double slowest) {
    const PartitionUnit& unit = search_.sets().classes()[static_cast<std::size_t>(unit_class)];
    const double speed = unit.seconds_per_byte;
    const auto key = [&](int begin) { return node(set, begin).sum - speed * search_.read(0, begin); };
    std::size_t head = 0;
    std::size_t tail = 0;
    for (int end = 0; end <= search_.count(); ++end) {
      if (node(set, end).sum < kInfinity) {
        while (tail > head && key(queue_[tail - 1]) > key(end)) --tail;
        queue_[tail++] = end;
      }
      while (tail > head &&
             (search_.memory(queue_[head], end) > unit.capacity || speed * search_.read(queue_[head], end) > slowest)) {
        ++head;
      }
      if (tail == head) continue;
      const int begin = queue_[head];
      const double sum = node(set, begin).sum + speed * search_.read(begin, end);
      if (sum < node(next, end).sum) node(next, end) = {sum, begin, unit_class, set};
    }
  }

  Partition best_path() {
    const int end_of_items = search_.count();
    int best = 0;
    for (int set = 0; set < search_.sets().count(); ++set) {
      if (node(set, end_of_items).sum < node(best, end_of_items).sum) best = set;
    }
    Partition partition;
    std::vector<int> before;
    for (int set = best, end = end_of_items; set != 0;) {
      const Node& n = node(set, end);
      if (n.begin < end) {
        partition.runs.push_back({n.unit_class, n.begin, end});
        before.push_back(n.previous_set);
      }
      set = n.previous_set;
      end = n.begin;
    }
    return search_.finish(std::move(partition), std::move(before));
  }

 private:
  const PartitionSearch& search_;
  std::size_t width_;
  std::vector<Node> nodes_;
  std::vector<int> queue_;
};

}  // namespace

Partition least_sum(const PartitionSearch& search, double slowest) {
  SumTable table(search);
  for (int set = 0; set < search.sets().count(); ++set) {
    search.sets().for_each_step(set, [&](int unit_class, int next) { table.step(set, unit_class, next, slowest); });
  }
  return table.best_path();
}

}  // namespace oblea
