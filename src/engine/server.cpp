#include "engine/server.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/check.hpp"

namespace oblea {
namespace {

// The number of requests in the system over time, event by event: what Little's law holds against their own times.
double integrate_number(const std::vector<RequestResult>& requests) {
  std::vector<std::pair<double, int>> events;
  events.reserve(2 * requests.size());
  for (const RequestResult& request : requests) {
    events.emplace_back(request.arrival_s, 1);
    events.emplace_back(request.finished_s, -1);
  }
  std::sort(events.begin(), events.end());
  double area = 0;
  double before_s = 0;
  int number = 0;
  for (const auto& [at_s, change] : events) {
    area += number * (at_s - before_s);
    before_s = at_s;
    number += change;
  }
  OBLEA_CHECK(number == 0, "whoever came has left");
  return area;
}

}  // namespace

Server::Server(const EnginePlan& plan, const EngineRequests& requests, const EngineOptions& options)
    : plan_(plan), options_(options), cost_(plan), source_(requests), scheduler_(plan.serving) {
  result_.requests.resize(requests.requests.size());
  result_.stage_work_s.assign(plan.stages.size(), 0);
  result_.stage_network_s.assign(plan.stages.size(), 0);
  result_.link_bytes_s.assign(plan.links.size(), 0);
  for (std::size_t i = 0; i < requests.requests.size(); ++i) {
    result_.requests[i].prompt_tokens = requests.requests[i].prompt_tokens;
    result_.requests[i].output_tokens = requests.requests[i].output_tokens;
  }
}

std::vector<int> Server::take_arrivals(double now_s) {
  std::vector<int> groups;
  for (int number = source_.take(now_s); number >= 0; number = source_.take(now_s)) {
    const Request& request = source_.request(number);
    RequestResult& result = of(number);
    result.arrival_s = source_.arrival_s(number);
    if (scheduler_.fits(request.prompt_tokens, request.output_tokens)) {
      groups.push_back(scheduler_.add(number, request.prompt_tokens, request.prefix, request.prefix_tokens));
      continue;
    }
    result.outcome = Outcome::rejected;
    result.admitted_s = result.first_token_s = result.finished_s = result.arrival_s;
    ++ended_;
    source_.ended(result.arrival_s);
    groups.push_back(-1);
  }
  return groups;
}

Pass Server::begin(int group, double now_s) {
  Pass pass = scheduler_.begin_pass(group);
  for (const int request : pass.admitted) {
    if (of(request).preemptions == 0) of(request).admitted_s = now_s;
  }
  for (const int request : pass.preempted) ++of(request).preemptions;
  result_.cache_tokens_peak = std::max(result_.cache_tokens_peak, scheduler_.tokens_used());
  ++result_.steps;
  return pass;
}

int Server::passes_in_a_row(int group, const Pass& pass, double now_s) const {
  if (!pass.chunks.empty() || plan_.serving.tokens_per_step != 1) return 1;
  int passes = std::numeric_limits<int>::max();
  const std::vector<Sequence>& sequences = scheduler_.group(group);
  for (const int at : pass.decoding) {
    const Sequence& sequence = sequences[static_cast<std::size_t>(at)];
    const int left = source_.request(sequence.request).output_tokens - sequence.before_tokens - sequence.made_tokens;
    passes = std::min(passes, left);
  }
  passes = scheduler_.passes_without_decision(group, pass, passes);
  const double arrival = source_.next_arrival_s();
  if (std::isinf(arrival) || !scheduler_.can_admit_more(group)) return passes;
  // The first boundary at or after the arrival.
  int low = 0;
  int high = passes;
  while (high - low > 1) {
    const int middle = low + (high - low) / 2;
    (now_s + cost_.iteration_s(pass.contexts, {}, middle) >= arrival ? high : low) = middle;
  }
  return high;
}

void Server::finish(const Sequence& sequence, double now_s) {
  RequestResult& result = of(sequence.request);
  result.finished_s = now_s;
  ++ended_;
  source_.ended(now_s);
}

void Server::end(int group, const Pass& pass, int passes, double now_s) {
  scheduler_.end_pass(group, pass, passes);
  result_.iterations += passes;
  for (const Chunk& chunk : pass.chunks) result_.prompt_tokens += chunk.tokens;
  const std::vector<Sequence>& sequences = scheduler_.group(group);
  for (const int at : pass.reading) {
    const Sequence& sequence = sequences[static_cast<std::size_t>(at)];
    if (!sequence.is_reading() && sequence.before_tokens == 0) of(sequence.request).first_token_s = now_s;
  }
  for (int at = static_cast<int>(sequences.size()) - 1; at >= 0; --at) {
    const Sequence sequence = sequences[static_cast<std::size_t>(at)];
    const int made = sequence.before_tokens + sequence.made_tokens;
    if (made < source_.request(sequence.request).output_tokens) continue;
    result_.output_tokens += source_.request(sequence.request).output_tokens;
    finish(sequence, now_s);
    scheduler_.remove(group, at);
  }
  tell_progress();
}

void Server::note(const std::vector<StageTime>& stages, int passes) {
  for (std::size_t s = 0; s < stages.size(); ++s) {
    result_.stage_work_s[s] += stages[s].work_s;
    result_.stage_network_s[s] += stages[s].collective_s + stages[s].hop_s;
    const int link = plan_.stages[s].hop_link;
    if (link >= 0) result_.link_bytes_s[static_cast<std::size_t>(link)] += stages[s].hop_s;
  }
  result_.overhead_s += passes * plan_.serving.overhead_s;
}

void Server::note_span(const Span& span) {
  if (options_.timeline) result_.timeline.push_back(span);
}

void Server::tell_progress() {
  const std::size_t all = result_.requests.size();
  if (!options_.progress || (ended_ - told_) * 100 < all) return;
  told_ = ended_;
  options_.progress(static_cast<double>(ended_) / static_cast<double>(all));
}

EngineResult Server::take_result(double end_s) {
  OBLEA_CHECK(is_over() && scheduler_.is_empty(), "every request has ended");
  OBLEA_CHECK(scheduler_.tokens_used() == 0, "the cache is empty in the end");
  double in_system = 0;
  std::int64_t made = 0;
  for (const RequestResult& request : result_.requests) {
    in_system += request.finished_s - request.arrival_s;
    if (request.outcome == Outcome::finished) made += request.output_tokens;
    OBLEA_CHECK(request.arrival_s <= request.admitted_s && request.admitted_s <= request.first_token_s &&
                    request.first_token_s <= request.finished_s,
                "a request arrives, enters, answers, ends");
  }
  OBLEA_CHECK(made == result_.output_tokens, "every token that was asked for was made once");
  result_.requests_in_system_s = integrate_number(result_.requests);
  OBLEA_CHECK(std::abs(in_system - result_.requests_in_system_s) <= 1e-9 * (1 + in_system), "Little's law");
  result_.end_s = end_s;
  result_.preemptions = scheduler_.preemptions();
  return std::move(result_);
}

}  // namespace oblea
