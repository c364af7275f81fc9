#include <algorithm>
#include <cmath>
#include <compare>
#include <cstdint>
#include <limits>

#include "base/check.hpp"
#include "engine/drivers.hpp"

namespace oblea {
namespace {

// A pass on its way until `back_s`, or a group that rests; with work it has a place in the line before the first stage.
struct GroupState {
  double back_s = 0;
  double since_s = 0;
  std::int64_t place = 0;
  bool resting = true;
  Pass pass;
};

class Circulation {
 public:
  explicit Circulation(Server& server)
      : server_(server),
        groups_(static_cast<std::size_t>(server.groups())),
        free_s_(server.plan().stages.size(), server.plan().start_s) {
    for (GroupState& group : groups_) group.since_s = server.plan().start_s;
  }

  void run() {
    while (!server_.is_over()) {
      const Event event = next();
      OBLEA_CHECK(std::isfinite(event.at_s), "somebody comes, or a pass is on its way");
      SimulatedTime::sleep_until(event.at_s);
      if (event.group < 0)
        take_arrivals(event.at_s);
      else if (groups_[static_cast<std::size_t>(event.group)].resting)
        start(event.group, event.at_s);
      else
        bring_back(event.group);
    }
  }

 private:
  // In the order of time; at one time passes come back, then requests arrive, then groups begin, who waited longest
  // first.
  struct Event {
    double at_s = std::numeric_limits<double>::infinity();
    int kind = 0;
    std::int64_t place = 0;
    int group = -1;
    auto operator<=>(const Event&) const = default;
  };

  Event next() const {
    Event first{server_.next_arrival_s(), 1, 0, -1};
    for (int g = 0; g < server_.groups(); ++g) {
      const GroupState& state = groups_[static_cast<std::size_t>(g)];
      if (!state.resting)
        first = std::min(first, Event{state.back_s, 0, 0, g});
      else if (server_.has_work(g))
        first = std::min(first, Event{std::max(state.since_s, free_s_.front()), 2, state.place, g});
    }
    return first;
  }

  void take_arrivals(double now_s) {
    std::vector<bool> idle;
    idle.reserve(groups_.size());
    for (int g = 0; g < server_.groups(); ++g) {
      idle.push_back(groups_[static_cast<std::size_t>(g)].resting && !server_.has_work(g));
    }
    std::vector<int> groups = server_.take_arrivals(now_s);
    std::sort(groups.begin(), groups.end());
    for (const int group : groups) {
      if (group < 0 || !idle[static_cast<std::size_t>(group)]) continue;
      idle[static_cast<std::size_t>(group)] = false;
      stand_in_line(groups_[static_cast<std::size_t>(group)], std::max(now_s, server_.plan().start_s));
    }
  }

  void stand_in_line(GroupState& state, double now_s) {
    state.since_s = now_s;
    state.place = places_++;
  }

  void bring_back(int number) {
    GroupState& state = groups_[static_cast<std::size_t>(number)];
    state.resting = true;
    server_.end(number, state.pass, 1, state.back_s);
    if (server_.has_work(number)) stand_in_line(state, state.back_s);
  }

  void start(int number, double at_s) {
    GroupState& state = groups_[static_cast<std::size_t>(number)];
    state.pass = server_.begin(number, at_s);
    OBLEA_CHECK(!state.pass.empty(), "a group with work has something to do");
    server_.cost().measure(state.pass.contexts, state.pass.chunks, 1, stages_);
    server_.note(stages_, 1);
    double done_s = at_s;
    for (std::size_t s = 0; s < stages_.size(); ++s) {
      const double begin_s = std::max(done_s + stages_[s].hop_s, free_s_[s]);
      const double own_s = s == 0 ? server_.plan().serving.overhead_s : 0.0;
      done_s = begin_s + own_s + stages_[s].work_s + stages_[s].collective_s;
      free_s_[s] = done_s;
      server_.note_span({begin_s, done_s, static_cast<int>(s), number, static_cast<int>(state.pass.decoding.size()),
                         prompt_tokens(state.pass), 1});
    }
    state.back_s = done_s;
    state.resting = false;
  }

  static int prompt_tokens(const Pass& pass) {
    int tokens = 0;
    for (const Chunk& chunk : pass.chunks) tokens += chunk.tokens;
    return tokens;
  }

  Server& server_;
  std::vector<GroupState> groups_;
  std::vector<double> free_s_;
  std::int64_t places_ = 0;
  std::vector<StageTime> stages_;
};

}  // namespace

void drive_groups(Server& server, SimulatedTime& time) {
  time.add_actor("server", [&server] { Circulation(server).run(); });
}

}  // namespace oblea
