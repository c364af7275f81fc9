#include <algorithm>
#include <cmath>
#include <deque>

#include <fmt/core.h>
#include <simgrid/s4u.hpp>

#include "base/check.hpp"
#include "engine/drivers.hpp"

namespace oblea {
namespace {

namespace s4u = simgrid::s4u;

int prompt_tokens(const Pass& pass) {
  int tokens = 0;
  for (const Chunk& chunk : pass.chunks) tokens += chunk.tokens;
  return tokens;
}

// What actors wait for: an arrival for a group, an answer that makes a user think of the next request, their turn.
// Passes keep their order: what left the first stage earlier enters every other one earlier, as behind one queue.
struct News {
  bool is_open = false;             // loading is over
  std::deque<int> line;             // groups with work before the first stage, first come first served
  std::vector<bool> is_idle;        // by group
  std::int64_t tickets = 0;         // passes that have begun
  std::vector<std::int64_t> turns;  // by stage: the pass that is to enter next
  s4u::MutexPtr guard = s4u::Mutex::create();
  s4u::ConditionVariablePtr changed = s4u::ConditionVariable::create();

  void stand_in_line(int group) {
    is_idle[static_cast<std::size_t>(group)] = false;
    line.push_back(group);
  }

  template <class Done>
  void wait(const Done& done) {
    std::unique_lock<s4u::Mutex> held(*guard);
    while (!done()) changed->wait(held);
  }
};

// Requests come in.
void receive(Server& server, News& news) {
  while (!server.is_over()) {
    const double arrival_s = server.next_arrival_s();
    if (arrival_s > SimulatedTime::now()) {
      std::unique_lock<s4u::Mutex> held(*news.guard);
      if (std::isfinite(arrival_s))
        news.changed->wait_until(held, arrival_s);
      else
        news.changed->wait(held);
      continue;
    }
    std::vector<int> groups = server.take_arrivals(SimulatedTime::now());
    std::sort(groups.begin(), groups.end());
    for (const int group : groups) {
      if (group >= 0 && news.is_idle[static_cast<std::size_t>(group)]) news.stand_in_line(group);
    }
    news.changed->notify_all();
  }
}

// One group of sequences: an actor that walks its passes through the stages.
class Walker {
 public:
  Walker(Server& server, SimulatedTime& time, News& news, int group)
      : server_(server), time_(time), news_(news), group_(group) {}

  void run() {
    for (;;) {
      news_.wait([&] { return is_next() || server_.is_over(); });
      if (server_.is_over()) return;
      time_.enter(0);
      news_.line.pop_front();
      ticket_ = news_.tickets++;
      const Pass pass = server_.begin(group_, SimulatedTime::now());
      OBLEA_CHECK(!pass.empty(), "a group with work has something to do");
      walk(pass);
      news_.changed->notify_all();
    }
  }

 private:
  bool is_next() const { return news_.is_open && !news_.line.empty() && news_.line.front() == group_; }

  void come_back(const Pass& pass) {
    server_.end(group_, pass, 1, SimulatedTime::now());
    if (server_.has_work(group_))
      news_.stand_in_line(group_);
    else
      news_.is_idle[static_cast<std::size_t>(group_)] = true;
  }

  void walk(const Pass& pass) {
    server_.cost().measure(pass.contexts, pass.chunks, 1, stages_);
    server_.note(stages_, 1);
    const double tokens = static_cast<double>(pass.contexts.size()) + prompt_tokens(pass);
    for (std::size_t s = 0; s < stages_.size(); ++s) {
      const int stage = static_cast<int>(s);
      if (s > 0) {
        time_.hop(stage, tokens);
        news_.wait([&] { return news_.turns[s] == ticket_; });
        time_.enter(stage);
      }
      const double begin_s = SimulatedTime::now();
      if (s == 0) SimulatedTime::work(server_.plan().serving.overhead_s);
      SimulatedTime::work(stages_[s].work_s);
      SimulatedTime::work(stages_[s].collective_s);
      // What a pass frees is free before the next one begins.
      if (s + 1 == stages_.size()) come_back(pass);
      time_.leave(stage);
      ++news_.turns[s];
      news_.changed->notify_all();
      server_.note_span({begin_s, SimulatedTime::now(), stage, group_, static_cast<int>(pass.decoding.size()),
                         prompt_tokens(pass), 1});
    }
  }

  Server& server_;
  SimulatedTime& time_;
  News& news_;
  int group_;
  std::int64_t ticket_ = 0;
  std::vector<StageTime> stages_;
};

}  // namespace

void drive_step_by_step(Server& server, SimulatedTime& time) {
  const auto news = std::make_shared<News>();
  news->turns.assign(server.plan().stages.size(), 0);
  news->is_idle.assign(static_cast<std::size_t>(server.groups()), true);
  time.add_actor("arrivals", [&server, news] { receive(server, *news); });
  // One actor opens for all, so that those who wait begin in the order of their numbers.
  time.add_actor("loading", [&server, news] {
    SimulatedTime::sleep_until(server.plan().start_s);
    news->is_open = true;
    news->changed->notify_all();
  });
  for (int group = 0; group < server.groups(); ++group) {
    time.add_actor(fmt::format("group {}", group),
                   [&server, &time, news, group] { Walker(server, time, *news, group).run(); });
  }
}

}  // namespace oblea
