#include "engine/activity_log.hpp"

#include <algorithm>

namespace oblea {

ActivityLog::ActivityLog(std::size_t lanes, std::size_t replicas) : busy_until_s_(replicas, 0) {
  now_.decode_s.assign(lanes, 0);
  now_.prompt_s.assign(lanes, 0);
  now_.busy_s.assign(replicas, 0);
}

void ActivityLog::note(const DoneWork& work, const std::vector<StageTime>& all, const std::vector<StageTime>& told) {
  std::vector<double>& sums = work.reads ? now_.prompt_s : now_.decode_s;
  for (std::size_t s = 0; s < all.size(); ++s) {
    const double before_s = told.empty() ? 0.0 : told[s].work_s;
    sums[static_cast<std::size_t>(work.first_lane) + s] += all[s].work_s - before_s;
  }
  // Passes of a replica begin and end in one order, so this adds up to the time in which any was under way.
  const auto replica = static_cast<std::size_t>(work.replica);
  now_.busy_s[replica] += std::max(0.0, work.end_s - std::max(work.begin_s, busy_until_s_[replica]));
  busy_until_s_[replica] = std::max(busy_until_s_[replica], work.end_s);
}

Activity ActivityLog::take(double now_s) {
  Activity taken = now_;
  taken.to_s = now_s;
  now_.from_s = now_s;
  for (std::vector<double>* sums : {&now_.decode_s, &now_.prompt_s, &now_.busy_s}) {
    std::fill(sums->begin(), sums->end(), 0.0);
  }
  return taken;
}

}  // namespace oblea
