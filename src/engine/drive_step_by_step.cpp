#include <cmath>
#include <deque>
#include <memory>

#include <fmt/core.h>
#include <simgrid/s4u.hpp>

#include "base/check.hpp"
#include "engine/drivers.hpp"

namespace oblea {
namespace {

namespace s4u = simgrid::s4u;

// What actors wait for: an arrival, an answer that makes a user think of the next request, a phase, their turn.
class News {
 public:
  template <class Done>
  void wait(const Done& done) {
    std::unique_lock<s4u::Mutex> held(*guard_);
    while (!done()) changed_->wait(held);
  }
  void wait_until(double at_s) {
    std::unique_lock<s4u::Mutex> held(*guard_);
    if (std::isfinite(at_s))
      changed_->wait_until(held, at_s);
    else
      changed_->wait(held);
  }
  void tell() { changed_->notify_all(); }

 private:
  s4u::MutexPtr guard_ = s4u::Mutex::create();
  s4u::ConditionVariablePtr changed_ = s4u::ConditionVariable::create();
};

// A replica while it serves. Passes keep their order: what left the first stage earlier enters every other one
// earlier, as behind one queue.
struct Floor {
  explicit Floor(Server& own) : server(own), is_idle(static_cast<std::size_t>(own.groups()), true) {
    for (std::size_t s = 0; s < own.plan().stages.size(); ++s) stages.push_back(s4u::Mutex::create());
    turns.assign(stages.size(), 0);
  }
  void joined(int group) {
    if (!is_idle[static_cast<std::size_t>(group)]) return;
    is_idle[static_cast<std::size_t>(group)] = false;
    line.push_back(group);
  }

  Server& server;
  bool is_stopped = false;
  std::deque<int> line;  // groups with work before the first stage, first come first served
  std::vector<bool> is_idle;
  std::int64_t tickets = 0;         // passes that have begun
  std::vector<std::int64_t> turns;  // by stage: the pass that is to enter next
  std::vector<s4u::MutexPtr> stages;
};

struct Site {
  Site(Fleet& own, SimulatedTime& own_time) : fleet(own), time(own_time), floors(own.plan().replicas.size()) {}
  void tell(const std::vector<Joined>& joined) {
    for (const Joined& one : joined) floors[static_cast<std::size_t>(one.replica)]->joined(one.group);
    news.tell();
  }

  Fleet& fleet;
  SimulatedTime& time;
  News news;
  std::vector<std::shared_ptr<Floor>> floors;  // by replica; null: it is down
  std::deque<Handover> handovers;
};

// One group of sequences: an actor that walks its passes through the stages, until its replica stops.
class Walker {
 public:
  Walker(std::shared_ptr<Site> site, std::shared_ptr<Floor> floor, int group)
      : site_(std::move(site)), floor_(std::move(floor)), group_(group) {}

  void run() {
    while (true) {
      site_->news.wait([&] { return is_next() || is_over(); });
      if (is_over() || !enter(0)) return;
      floor_->line.pop_front();
      const Pass pass = site_->fleet.begin(replica(), group_, SimulatedTime::now());
      if (pass.empty()) {
        floor_->is_idle[static_cast<std::size_t>(group_)] = true;
        leave(0);
      } else {
        ticket_ = floor_->tickets++;
        walk(pass);
      }
      site_->news.tell();
    }
  }

 private:
  int replica() const { return floor_->server.place().replica; }
  bool is_over() const { return floor_->is_stopped || site_->fleet.is_over(); }
  bool is_next() const { return !floor_->line.empty() && floor_->line.front() == group_; }

  // Waits its turn; false where the replica has stopped meanwhile.
  bool enter(std::size_t stage) {
    floor_->stages[stage]->lock();
    if (!floor_->is_stopped) return true;
    leave(stage);
    return false;
  }
  void leave(std::size_t stage) { floor_->stages[stage]->unlock(); }

  void come_back(const Pass& pass) {
    for (const Handover& handover : site_->fleet.end(replica(), group_, pass, 1, SimulatedTime::now())) {
      site_->handovers.push_back(handover);
    }
    floor_->is_idle[static_cast<std::size_t>(group_)] = true;
    if (floor_->server.has_work(group_)) floor_->joined(group_);
  }

  void walk(const Pass& pass) {
    floor_->server.cost().measure(pass.contexts, pass.chunks, 1, times_, pass.paces());
    const int positions = floor_->server.plan().serving.positions_per_step;
    const double tokens = static_cast<double>(pass.contexts.size()) * positions + pass.prompt_tokens();
    std::vector<Span> spans;
    for (std::size_t s = 0; s < times_.size(); ++s) {
      if (s > 0) {
        site_->time.hop(floor_->server.plan().stages[s], floor_->server.place().first_link, tokens);
        site_->news.wait([&] { return floor_->turns[s] == ticket_ || floor_->is_stopped; });
        if (!enter(s)) return;
      }
      const double begin_s = SimulatedTime::now();
      if (s == 0) SimulatedTime::work(floor_->server.plan().serving.overhead_s);
      SimulatedTime::work(times_[s].work_s);
      SimulatedTime::work(times_[s].collective_s);
      if (floor_->is_stopped) return leave(s);
      spans.push_back({begin_s, SimulatedTime::now(), static_cast<int>(s), group_,
                       static_cast<int>(pass.decoding.size()), pass.prompt_tokens(), 1});
      // What a pass frees is free before the next one begins.
      if (s + 1 == times_.size()) {
        for (const Span& span : spans) floor_->server.note_span(span);
        come_back(pass);
      }
      leave(s);
      ++floor_->turns[s];
      site_->news.tell();
    }
  }

  std::shared_ptr<Site> site_;
  std::shared_ptr<Floor> floor_;
  int group_;
  std::int64_t ticket_ = 0;
  std::vector<StageTime> times_;
};

void receive(Site& site) {
  while (!site.fleet.is_over()) {
    const double arrival_s = site.fleet.next_arrival_s();
    if (arrival_s > SimulatedTime::now())
      site.news.wait_until(arrival_s);
    else
      site.tell(site.fleet.take_arrivals(SimulatedTime::now()));
  }
  site.news.tell();
}

void send_walkers(const std::shared_ptr<Site>& site, const std::shared_ptr<Floor>& floor) {
  for (int group = 0; group < floor->server.groups(); ++group) {
    site->time.add_actor(fmt::format("replica {}, group {}", floor->server.place().replica, group),
                         [site, floor, group] { Walker(site, floor, group).run(); });
  }
}

// Replicas start and stop, all of one moment before anybody else sees it.
void change_phases(const std::shared_ptr<Site>& site) {
  const std::vector<PhaseEvent> events = phase_events(site->fleet.plan());
  for (std::size_t i = 0; i < events.size();) {
    SimulatedTime::sleep_until(events[i].at_s);
    if (site->fleet.is_over()) return;
    std::vector<std::shared_ptr<Floor>> started;
    for (const double now_s = events[i].at_s; i < events.size() && events[i].at_s <= now_s; ++i) {
      std::shared_ptr<Floor>& floor = site->floors[static_cast<std::size_t>(events[i].replica)];
      if (floor) floor->is_stopped = true;
      site->fleet.apply(events[i]);
      Server* server = site->fleet.server(events[i].replica);
      floor = server != nullptr ? std::make_shared<Floor>(*server) : nullptr;
      if (floor) started.push_back(floor);
    }
    for (const std::shared_ptr<Floor>& floor : started) send_walkers(site, floor);
    site->news.tell();
  }
}

// The pacer looks; what it shuts down is down before anybody else sees it.
void look(Site& site) {
  while (std::isfinite(site.fleet.next_look_s())) {
    const double at_s = site.fleet.next_look_s();
    SimulatedTime::sleep_until(at_s);
    if (site.fleet.is_over()) return;
    for (const int replica : site.fleet.look(at_s).shut_down) {
      std::shared_ptr<Floor>& floor = site.floors[static_cast<std::size_t>(replica)];
      if (floor) floor->is_stopped = true;
      site.fleet.apply({at_s, false, replica, 0});
      floor = nullptr;
    }
    site.news.tell();
  }
}

// Caches go over one link, one after another.
void hand_over(Site& site) {
  while (true) {
    site.news.wait([&] { return !site.handovers.empty() || site.fleet.is_over(); });
    if (site.fleet.is_over()) return;
    const Handover handover = site.handovers.front();
    site.handovers.pop_front();
    SimulatedTime::work(handover.seconds);
    site.tell(site.fleet.deliver(handover, SimulatedTime::now()));
  }
}

}  // namespace

void drive_step_by_step(Fleet& fleet, SimulatedTime& time) {
  const auto site = std::make_shared<Site>(fleet, time);
  time.add_actor("phases", [site] { change_phases(site); });
  time.add_actor("arrivals", [site] { receive(*site); });
  time.add_actor("looks", [site] { look(*site); });
  time.add_actor("caches", [site] { hand_over(*site); });
}

}  // namespace oblea
