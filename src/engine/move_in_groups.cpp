#include <algorithm>

#include "engine/motion.hpp"

namespace oblea {
namespace {

// A pass on its way until `back_s`, or a group that rests; with work it has a place in the line before the first stage.
struct GroupState {
  double back_s = 0;
  double since_s = 0;
  std::int64_t place = 0;
  bool is_resting = true;
  bool is_in_line = false;
  Pass pass;
  std::vector<Span> spans;
};

class Circulation : public Motion {
 public:
  Circulation(Fleet& fleet, int replica, double now_s)
      : fleet_(fleet),
        replica_(replica),
        server_(*fleet.server(replica)),
        groups_(static_cast<std::size_t>(server_.groups())),
        free_s_(server_.plan().stages.size(), now_s) {}

  MotionEvent next() const override {
    MotionEvent first;
    for (int g = 0; g < server_.groups(); ++g) {
      const GroupState& state = groups_[static_cast<std::size_t>(g)];
      if (!state.is_resting) {
        first = std::min(first, MotionEvent{state.back_s, false, 0, g});
      } else if (state.is_in_line) {
        first = std::min(first, MotionEvent{std::max(state.since_s, free_s_.front()), true, state.place, g});
      }
    }
    return first;
  }

  std::vector<Handover> act(const MotionEvent& event) override {
    if (!event.begins) return bring_back(event.group);
    begin(event.group, event.at_s);
    return {};
  }

  void joined(int group, double now_s) override {
    GroupState& state = groups_[static_cast<std::size_t>(group)];
    if (state.is_resting && !state.is_in_line) stand_in_line(state, now_s);
  }

  void note_progress(double) override {}  // every pass counts when it ends
  void pace_changed(double) override {}

  void stop(double now_s) override {
    for (MotionEvent event = next(); event.at_s <= now_s && !event.begins; event = next()) bring_back(event.group);
  }

 private:
  void stand_in_line(GroupState& state, double now_s) {
    state.since_s = now_s;
    state.place = places_++;
    state.is_in_line = true;
  }

  std::vector<Handover> bring_back(int group) {
    GroupState& state = groups_[static_cast<std::size_t>(group)];
    state.is_resting = true;
    for (const Span& span : state.spans) server_.note_span(span);
    std::vector<Handover> handovers = fleet_.end(replica_, group, state.pass, 1, state.back_s);
    if (server_.has_work(group)) stand_in_line(state, state.back_s);
    return handovers;
  }

  void begin(int group, double now_s) {
    GroupState& state = groups_[static_cast<std::size_t>(group)];
    state.is_in_line = false;
    state.pass = fleet_.begin(replica_, group, now_s);
    if (state.pass.empty()) return;
    server_.cost().measure(state.pass.contexts, state.pass.chunks, 1, stages_, state.pass.paces());
    state.spans.clear();
    double done_s = now_s;
    for (std::size_t s = 0; s < stages_.size(); ++s) {
      const double begin_s = std::max(done_s + stages_[s].hop_s, free_s_[s]);
      const double own_s = s == 0 ? server_.plan().serving.overhead_s : 0.0;
      done_s = begin_s + own_s + stages_[s].work_s + stages_[s].collective_s;
      free_s_[s] = done_s;
      state.spans.push_back({begin_s, done_s, static_cast<int>(s), group, static_cast<int>(state.pass.decoding.size()),
                             state.pass.prompt_tokens(), 1});
    }
    state.back_s = done_s;
    state.is_resting = false;
  }

  Fleet& fleet_;
  int replica_;
  Server& server_;
  std::vector<GroupState> groups_;
  std::vector<double> free_s_;  // by stage
  std::int64_t places_ = 0;
  std::vector<StageTime> stages_;
};

}  // namespace

std::unique_ptr<Motion> move_in_groups(Fleet& fleet, int replica, double now_s) {
  return std::make_unique<Circulation>(fleet, replica, now_s);
}

}  // namespace oblea
