#include <cmath>

#include "engine/motion.hpp"

namespace oblea {
namespace {

class Rows : public Motion {
 public:
  Rows(Fleet& fleet, int replica, double now_s)
      : fleet_(fleet), replica_(replica), server_(*fleet.server(replica)), free_s_(now_s) {}

  MotionEvent next() const override {
    if (is_running_) return {end_s_, false};
    if (is_blocked_ || !server_.has_work(0)) return {};
    return {free_s_, true};
  }

  std::vector<Handover> act(const MotionEvent& event) override {
    if (event.begins) {
      begin(event.at_s);
      return {};
    }
    return end();
  }

  void joined(int, double now_s) override {
    is_blocked_ = false;
    if (!is_running_) {
      free_s_ = std::max(free_s_, now_s);
    } else if (passes_ > 1 && server_.can_admit_more(0)) {
      set_row(server_.passes_until(pass_, passes_, begin_s_, now_s));
    }
  }

  void note_progress(double now_s) override {
    if (is_running_) server_.note_progress(pass_, passes_, now_s);
  }

  void pace_changed(double now_s) override {
    if (is_running_ && passes_ > 1) set_row(server_.passes_until(pass_, passes_, begin_s_, now_s));
  }

  void stop(double now_s) override {
    if (!is_running_) return;
    const int done = server_.passes_by(pass_, passes_, begin_s_, now_s);
    if (done < 1) return;
    set_row(done);
    end();
  }

 private:
  void begin(double now_s) {
    pass_ = fleet_.begin(replica_, 0, now_s);
    if (pass_.empty()) {
      is_blocked_ = true;
      return;
    }
    begin_s_ = now_s;
    is_running_ = true;
    set_row(server_.passes_in_a_row(0, pass_));
  }

  void set_row(int passes) {
    passes_ = passes;
    end_s_ = begin_s_ + server_.cost().iteration_s(pass_.contexts, pass_.chunks, passes, pass_.paces());
  }

  std::vector<Handover> end() {
    note_spans();
    is_running_ = false;
    free_s_ = end_s_;
    return fleet_.end(replica_, 0, pass_, passes_, end_s_);
  }

  // Bars of the stages, laid one behind another; of a row, as if each stage did its share at once.
  void note_spans() {
    server_.cost().measure(pass_.contexts, pass_.chunks, passes_, stages_, pass_.paces());
    double at_s = begin_s_ + passes_ * server_.plan().serving.overhead_s;
    for (std::size_t s = 0; s < stages_.size(); ++s) {
      const double begin_s = at_s + stages_[s].hop_s;
      at_s += stages_[s].total();
      server_.note_span({begin_s, at_s, static_cast<int>(s), 0, static_cast<int>(pass_.decoding.size()),
                         pass_.prompt_tokens(), passes_});
    }
  }

  Fleet& fleet_;
  int replica_;
  Server& server_;
  bool is_running_ = false;
  bool is_blocked_ = false;  // all of the cache belongs to sequences that are leaving
  double free_s_ = 0;
  double begin_s_ = 0;
  double end_s_ = 0;
  int passes_ = 0;
  Pass pass_;
  std::vector<StageTime> stages_;
};

}  // namespace

std::unique_ptr<Motion> move_in_rows(Fleet& fleet, int replica, double now_s) {
  return std::make_unique<Rows>(fleet, replica, now_s);
}

}  // namespace oblea
