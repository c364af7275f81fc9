// ActivityLog: what lanes have done since somebody last asked.
#pragma once

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

class ActivityLog {
 public:
  ActivityLog(std::size_t lanes, std::size_t replicas);

  // `all` less `told`: what was noted before of the same row; empty: nothing.
  void note(const DoneWork& work, const std::vector<StageTime>& all, const std::vector<StageTime>& told);
  Activity take(double now_s);

 private:
  Activity now_;
  std::vector<double> busy_until_s_;  // by replica
};

}  // namespace oblea
