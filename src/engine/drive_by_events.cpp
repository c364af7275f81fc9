#include <algorithm>
#include <cmath>
#include <deque>

#include "base/check.hpp"
#include "engine/drivers.hpp"
#include "engine/motion.hpp"

namespace oblea {
namespace {

// In the order of time; at one time in this one.
enum class Kind { pass_ends, cache_arrives, phase_changes, requests_come, looks, pass_begins };

struct Next {
  double at_s = std::numeric_limits<double>::infinity();
  Kind kind = Kind::requests_come;
  int replica = 0;
  MotionEvent motion;
};

class Events {
 public:
  explicit Events(Fleet& fleet)
      : fleet_(fleet), phases_(phase_events(fleet.plan())), motions_(fleet.plan().replicas.size()) {}

  void run() {
    while (!fleet_.is_over()) {
      const Next next = find_next();
      OBLEA_CHECK(std::isfinite(next.at_s), "somebody comes, or a pass is on its way");
      SimulatedTime::sleep_until(next.at_s);
      act(next);
    }
  }

 private:
  Next find_next() const {
    Next first{fleet_.next_arrival_s(), Kind::requests_come, 0, {}};
    const auto take = [&](const Next& other) {
      if (std::pair(other.at_s, other.kind) < std::pair(first.at_s, first.kind)) first = other;
    };
    take({fleet_.next_look_s(), Kind::looks, 0, {}});
    if (phase_ < phases_.size()) take({phases_[phase_].at_s, Kind::phase_changes, 0, {}});
    if (!under_way_.empty()) take({under_way_.front().first, Kind::cache_arrives, 0, {}});
    for (std::size_t r = 0; r < motions_.size(); ++r) {
      if (!motions_[r]) continue;
      const MotionEvent event = motions_[r]->next();
      take({event.at_s, event.begins ? Kind::pass_begins : Kind::pass_ends, static_cast<int>(r), event});
    }
    return first;
  }

  void act(const Next& next) {
    switch (next.kind) {
      case Kind::requests_come:
        return tell(fleet_.take_arrivals(next.at_s), next.at_s);
      case Kind::phase_changes:
        return change(phases_[phase_++]);
      case Kind::looks:
        return look(next.at_s);
      case Kind::cache_arrives: {
        const Handover handover = under_way_.front().second;
        under_way_.pop_front();
        return tell(fleet_.deliver(handover, next.at_s), next.at_s);
      }
      case Kind::pass_begins:
      case Kind::pass_ends:
        for (const Handover& handover : motions_[static_cast<std::size_t>(next.replica)]->act(next.motion)) {
          link_free_s_ = std::max(link_free_s_, next.at_s) + handover.seconds;
          under_way_.emplace_back(link_free_s_, handover);
        }
    }
  }

  void tell(const std::vector<Joined>& joined, double now_s) {
    for (const Joined& one : joined) motions_[static_cast<std::size_t>(one.replica)]->joined(one.group, now_s);
  }

  void look(double now_s) {
    for (const std::unique_ptr<Motion>& motion : motions_) {
      if (motion) motion->note_progress(now_s);
    }
    const Looked changed = fleet_.look(now_s);
    for (const int replica : changed.repaced) motions_[static_cast<std::size_t>(replica)]->pace_changed(now_s);
    for (const int replica : changed.shut_down) change({now_s, false, replica, 0});
  }

  void change(const PhaseEvent& event) {
    std::unique_ptr<Motion>& motion = motions_[static_cast<std::size_t>(event.replica)];
    if (motion) motion->stop(event.at_s);
    motion = nullptr;
    fleet_.apply(event);
    if (fleet_.server(event.replica) == nullptr) return;
    const bool in_groups = fleet_.server(event.replica)->groups() > 1;
    motion =
        in_groups ? move_in_groups(fleet_, event.replica, event.at_s) : move_in_rows(fleet_, event.replica, event.at_s);
  }

  Fleet& fleet_;
  std::vector<PhaseEvent> phases_;
  std::size_t phase_ = 0;
  std::vector<std::unique_ptr<Motion>> motions_;  // by replica; null: it is down
  std::deque<std::pair<double, Handover>> under_way_;
  double link_free_s_ = 0;
};

}  // namespace

void drive_by_events(Fleet& fleet, SimulatedTime& time) {
  time.add_actor("events", [&fleet] { Events(fleet).run(); });
}

}  // namespace oblea
