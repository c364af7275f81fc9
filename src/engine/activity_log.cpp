#include "engine/activity_log.hpp"

namespace oblea {

ActivityLog::ActivityLog(std::size_t lanes, std::size_t replicas) : busy_(replicas) {
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
  const auto replica = static_cast<std::size_t>(work.replica);
  now_.busy_s[replica] += busy_[replica].add(work.begin_s, work.end_s);
}

Activity ActivityLog::take(double now_s) {
  Activity taken = now_;
  taken.to_s = now_s;
  now_.from_s = now_s;
  for (std::vector<double>* sums : {&now_.decode_s, &now_.prompt_s, &now_.busy_s}) {
    sums->assign(sums->size(), 0.0);
  }
  return taken;
}

}  // namespace oblea
