// ActivityLog: what lanes have done since somebody last asked.
#pragma once

#include <algorithm>

#include "engine/pacer.hpp"
#include "engine/pass_cost.hpp"

namespace oblea {

// Work that was done from one moment to another, by the stages of one replica.
struct DoneWork {
  int replica = 0;
  int first_lane = 0;
  bool reads = false;  // prompts
  double begin_s = 0;
  double end_s = 0;
};

// Time in which any pass of a replica was under way: passes begin and end in one order.
struct BusyTime {
  double until_s = 0;

  // What this one adds.
  double add(double begin_s, double end_s) {
    const double more_s = end_s - std::max(begin_s, until_s);
    until_s = end_s;
    return more_s;
  }
};

class ActivityLog {
 public:
  ActivityLog(std::size_t lanes, std::size_t replicas);

  // `all` less `told`: what was noted before of the same row; empty: nothing.
  void note(const DoneWork& work, const std::vector<StageTime>& all, const std::vector<StageTime>& told);
  Activity take(double now_s);

 private:
  Activity now_;
  std::vector<BusyTime> busy_;  // by replica
};

}  // namespace oblea
