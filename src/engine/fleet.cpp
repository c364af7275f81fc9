#include "engine/fleet.hpp"

#include <algorithm>
#include <limits>

#include <fmt/core.h>

#include "base/check.hpp"

namespace oblea {
namespace {

constexpr double kNever = std::numeric_limits<double>::infinity();

}  // namespace

std::vector<PhaseEvent> phase_events(const FleetPlan& fleet) {
  std::vector<PhaseEvent> events;
  for (std::size_t r = 0; r < fleet.replicas.size(); ++r) {
    const std::vector<Phase>& phases = fleet.replicas[r].phases;
    for (std::size_t p = 0; p < phases.size(); ++p) {
      const int replica = static_cast<int>(r);
      const int phase = static_cast<int>(p);
      if (p > 0) events.push_back({phases[p].from_s, false, replica, phase});
      const bool starts = phases[p].plan && phases[p].ready_s < phase_end_s(fleet.replicas[r], p);
      if (starts) events.push_back({phases[p].ready_s, true, replica, phase});
    }
  }
  std::stable_sort(events.begin(), events.end(), [](const PhaseEvent& a, const PhaseEvent& b) {
    return std::pair(a.at_s, a.starts) < std::pair(b.at_s, b.starts);
  });
  return events;
}

Fleet::Fleet(const FleetPlan& plan, const EngineRequests& requests, const EngineOptions& options)
    : plan_(plan),
      source_(requests),
      record_(plan, requests, options),
      pacer_(options.pacer),
      next_look_s_(pacer_ ? pacer_->first_look_s() : kNever),
      servers_(plan.replicas.size()),
      sent_back_s_(kNever) {
  for (const PhaseEvent& event : phase_events(plan)) {
    if (event.starts) ++starts_left_;
  }
}

ServerPlace Fleet::place_of(int replica, int phase) const {
  ServerPlace place{.replica = replica, .role = plan_.replicas[static_cast<std::size_t>(replica)].role};
  for (int r = 0; r <= replica; ++r) {
    const std::vector<Phase>& phases = plan_.replicas[static_cast<std::size_t>(r)].phases;
    const auto before = r == replica ? static_cast<std::size_t>(phase) : phases.size();
    for (std::size_t p = 0; p < before; ++p) {
      if (!phases[p].plan) continue;
      place.first_lane += static_cast<int>(phases[p].plan->stages.size());
      place.first_link += static_cast<int>(phases[p].plan->links.size());
    }
  }
  return place;
}

void Fleet::apply(const PhaseEvent& event) {
  std::unique_ptr<Server>& server = servers_[static_cast<std::size_t>(event.replica)];
  if (server) {
    send_back(server->abandon(), event.at_s);
    stopped_.push_back(std::move(server));
  }
  if (!event.starts) return;
  --starts_left_;
  if (!stranded_.empty()) sent_back_s_ = event.at_s;
  if (record_.is_shut_down(event.replica)) return;
  const Phase& phase =
      plan_.replicas[static_cast<std::size_t>(event.replica)].phases[static_cast<std::size_t>(event.phase)];
  server = std::make_unique<Server>(*phase.plan, place_of(event.replica, event.phase), source_, record_);
  if (!pace_.empty()) server->set_pace(pace_);
}

Looked Fleet::look(double now_s) {
  const Look seen = pacer_->look(record_.activity()->take(now_s));
  OBLEA_CHECK(seen.next_s > now_s, "time passes between two looks");
  record_.looked(now_s, pacer_->sample());
  next_look_s_ = seen.next_s;
  if (!seen.pace.empty()) pace_ = seen.pace;
  Looked changed;
  for (std::size_t r = 0; r < servers_.size() && !pace_.empty(); ++r) {
    if (servers_[r] && servers_[r]->set_pace(pace_)) changed.repaced.push_back(static_cast<int>(r));
  }
  for (const int replica : seen.shut_down) {
    if (record_.is_shut_down(replica)) continue;
    record_.shut_down(replica, now_s);
    changed.shut_down.push_back(replica);
  }
  return changed;
}

void Fleet::send_back(const Abandoned& abandoned, double now_s) {
  record_.discarded(abandoned.made_tokens);
  for (const int request : abandoned.begun) {
    if (plan_.retry) {
      record_.retried(request);
      wait_for_replica(request, now_s);
      continue;
    }
    record_.lost(request, now_s);
    source_.ended(now_s);
  }
  for (const int request : abandoned.waiting) wait_for_replica(request, now_s);
}

void Fleet::wait_for_replica(int request, double now_s) {
  stranded_.push_back(request);
  sent_back_s_ = std::min(sent_back_s_, now_s);
}

double Fleet::next_arrival_s() const { return std::min(source_.next_arrival_s(), sent_back_s_); }

std::vector<Joined> Fleet::take_arrivals(double now_s) {
  std::vector<int> here;
  if (sent_back_s_ <= now_s) {
    here.swap(stranded_);
    sent_back_s_ = kNever;
    std::stable_sort(here.begin(), here.end(),
                     [&](int a, int b) { return source_.arrival_s(a) < source_.arrival_s(b); });
  }
  for (int number = source_.take(now_s); number >= 0; number = source_.take(now_s)) {
    record_.arrived(number, source_.arrival_s(number));
    here.push_back(number);
  }
  std::vector<Joined> joined;
  for (const int request : here) {
    if (const std::optional<Joined> group = route(request)) {
      joined.push_back(*group);
      continue;
    }
    const Prospect outlook = prospect(request);
    if (outlook == Prospect::later) {
      stranded_.push_back(request);
      continue;
    }
    const bool fits_none = outlook == Prospect::never;
    const double at_s = fits_none ? source_.arrival_s(request) : now_s;
    fits_none ? record_.rejected(request, at_s) : record_.lost(request, at_s);
    source_.ended(at_s);
  }
  return joined;
}

int Fleet::least_loaded(int request, bool (*takes)(Role)) const {
  int chosen = -1;
  for (int r = 0; r < static_cast<int>(servers_.size()); ++r) {
    const Server* candidate = server(r);
    if (candidate == nullptr || !takes(candidate->place().role) || !candidate->fits(request)) continue;
    if (chosen < 0 || candidate->load() < server(chosen)->load()) chosen = r;
  }
  return chosen;
}

int Fleet::next_in_turn(int request) const {
  const int count = static_cast<int>(servers_.size());
  for (int i = 0; i < count; ++i) {
    const Server* candidate = server((turn_ + i) % count);
    if (candidate != nullptr && takes_prompts(candidate->place().role) && candidate->fits(request)) {
      return (turn_ + i) % count;
    }
  }
  return -1;
}

// To a replica that serves now, if the answer can be made somewhere now as well.
std::optional<Joined> Fleet::route(int request) {
  const bool in_turn = plan_.balancing == Balancing::round_robin;
  const int chosen = in_turn ? next_in_turn(request) : least_loaded(request, takes_prompts);
  if (chosen < 0 || least_loaded(request, answers) < 0) return std::nullopt;
  turn_ = chosen + 1;
  return Joined{chosen, server(chosen)->receive(request, false)};
}

Fleet::Prospect Fleet::prospect(int number) const {
  const Request& request = source_.request(number);
  bool is_read = false;
  bool is_answered = false;
  for (std::size_t r = 0; r < plan_.replicas.size(); ++r) {
    const Role role = plan_.replicas[r].role;
    for (const Phase& phase : plan_.replicas[r].phases) {
      if (!phase.plan || !can_serve(*phase.plan, role, request)) continue;
      is_read = is_read || takes_prompts(role);
      is_answered = is_answered || answers(role);
    }
  }
  if (!is_read || !is_answered) return Prospect::never;
  return starts_left_ > 0 ? Prospect::later : Prospect::over;
}

std::vector<Handover> Fleet::end(int replica, int group, const Pass& pass, std::int64_t passes, double now_s) {
  const EndedPass ended = server(replica)->end(group, pass, passes, now_s);
  for (const int request : ended.finished) {
    record_.finished(request, replica, now_s);
    source_.ended(now_s);
  }
  std::vector<Handover> handovers;
  for (const int request : ended.leaving) {
    const double tokens = source_.request(request).prompt_tokens;
    const double seconds = plan_.handover_latency_s + tokens * plan_.handover_s_per_token;
    handovers.push_back({request, replica, record_.attempts(request), seconds});
  }
  return handovers;
}

std::vector<Joined> Fleet::deliver(const Handover& handover, double now_s) {
  const int request = handover.request;
  if (record_.has_ended(request) || record_.attempts(request) != handover.attempt) return {};
  record_.handed_over(handover.seconds);
  std::vector<Joined> joined = {{handover.from, server(handover.from)->release(request)}};
  if (const int to = least_loaded(request, answers); to >= 0) {
    joined.push_back({to, server(to)->receive(request, true)});
  } else {
    send_back({{}, {request}, 1}, now_s);
  }
  return joined;
}

EngineResult Fleet::take_result() {
  for (const auto& server : servers_) OBLEA_CHECK(!server || server->is_empty(), "every cache is empty in the end");
  return record_.take_result();
}

}  // namespace oblea
