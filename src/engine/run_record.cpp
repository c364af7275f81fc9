#include "engine/run_record.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/check.hpp"

namespace oblea {
namespace {

// The number of requests in the system over time, event by event: what Little's law holds against their own times.
double integrate_number(const std::vector<RequestResult>& requests) {
  std::vector<double> in, out;
  in.reserve(requests.size());
  out.reserve(requests.size());
  for (const RequestResult& request : requests) {
    in.push_back(request.arrival_s);
    out.push_back(request.finished_s);
  }
  std::sort(in.begin(), in.end());
  std::sort(out.begin(), out.end());
  double area = 0;
  double before_s = 0;
  std::size_t left = 0;
  for (std::size_t come = 0; left < out.size();) {
    const bool comes = come < in.size() && in[come] <= out[left];
    const double at_s = comes ? in[come] : out[left];
    area += static_cast<double>(come - left) * (at_s - before_s);
    before_s = at_s;
    ++(comes ? come : left);
  }
  return area;
}

// Seconds of [0, end] in which a replica serves, if nothing shuts it down.
double served_s(const Replica& replica, double end_s) {
  double sum = 0;
  for (std::size_t p = 0; p < replica.phases.size(); ++p) {
    const Phase& phase = replica.phases[p];
    if (!phase.plan) continue;
    sum += std::max(0.0, std::min(end_s, phase_end_s(replica, p)) - phase.ready_s);
  }
  return sum;
}

}  // namespace

RunRecord::RunRecord(const FleetPlan& fleet, const EngineRequests& requests, const EngineOptions& options)
    : fleet_(fleet), options_(options) {
  result_.requests.resize(requests.requests.size());
  ended_requests_.resize(requests.requests.size());
  for (std::size_t i = 0; i < requests.requests.size(); ++i) {
    result_.requests[i].admitted_s = -1;  // not yet
    result_.requests[i].prompt_tokens = requests.requests[i].prompt_tokens;
    result_.requests[i].output_tokens = requests.requests[i].output_tokens;
  }
  std::size_t lanes = 0;
  std::size_t links = 0;
  for (const EnginePlan* plan : plans_of(fleet)) {
    lanes += plan->stages.size();
    links += plan->links.size();
  }
  result_.stage_work_s.assign(lanes, 0);
  result_.stage_prompt_s.assign(lanes, 0);
  result_.stage_network_s.assign(lanes, 0);
  result_.replica_busy_s.assign(fleet.replicas.size(), 0);
  busy_.resize(fleet.replicas.size());
  result_.link_bytes_s.assign(links, 0);
  result_.shut_down_s.assign(fleet.replicas.size(), std::numeric_limits<double>::infinity());
  if (options.pacer) activity_.emplace(lanes, fleet.replicas.size());
}

void RunRecord::admitted(int request, double now_s) {
  RequestResult& result = of(request);
  if (result.admitted_s < 0) result.admitted_s = now_s;
}

void RunRecord::finished(int request, int replica, double now_s) {
  RequestResult& result = of(request);
  result.outcome = Outcome::finished;
  result.finished_s = now_s;
  result.replica = static_cast<std::int16_t>(replica);
  result_.output_tokens += result.output_tokens;
  ended(request, now_s);
}

void RunRecord::ended_without(int request, Outcome outcome, double now_s) {
  RequestResult& result = of(request);
  result.outcome = outcome;
  if (result.admitted_s < 0) result.admitted_s = now_s;
  if (result.first_token_s < result.admitted_s) result.first_token_s = now_s;
  result.finished_s = now_s;
  ended(request, now_s);
}

void RunRecord::ended(int request, double now_s) {
  OBLEA_CHECK(!has_ended(request), "a request ends once");
  ended_requests_[static_cast<std::size_t>(request)] = true;
  result_.end_s = std::max(result_.end_s, now_s);
  ++ended_;
  const std::size_t all = result_.requests.size();
  if (!options_.progress || (ended_ - told_) * 100 < all) return;
  told_ = ended_;
  options_.progress(static_cast<double>(ended_) / static_cast<double>(all));
}

void RunRecord::done(const EnginePlan& plan, const DonePass& pass) {
  for (std::size_t s = 0; s < pass.stages->size(); ++s) {
    const StageTime& time = (*pass.stages)[s];
    const std::size_t lane = static_cast<std::size_t>(pass.first_lane) + s;
    result_.stage_work_s[lane] += time.work_s;
    if (pass.reads) result_.stage_prompt_s[lane] += time.work_s;
    result_.stage_network_s[lane] += time.collective_s + time.hop_s;
    const auto carried = [&](int link, double seconds) {
      if (link < 0) return;
      result_.link_bytes_s[static_cast<std::size_t>(pass.first_link) + static_cast<std::size_t>(link)] += seconds;
    };
    carried(plan.stages[s].hop_link, time.hop_s);
    carried(plan.stages[s].collective_link, time.collective_s);
  }
  result_.overhead_s += static_cast<double>(pass.passes) * plan.serving.overhead_s;
  result_.iterations += pass.passes;
  const auto replica = static_cast<std::size_t>(pass.replica);
  result_.replica_busy_s[replica] += busy_[replica].add(pass.begin_s, pass.end_s);
}

void RunRecord::looked(double now_s, const std::vector<double>& sample) {
  result_.look_s.push_back(now_s);
  result_.samples.insert(result_.samples.end(), sample.begin(), sample.end());
}

void RunRecord::span(const Span& span) {
  if (options_.timeline) result_.timeline.push_back(span);
}

EngineResult RunRecord::take_result() {
  OBLEA_CHECK(is_over(), "every request has ended");
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
  for (std::size_t r = 0; r < fleet_.replicas.size(); ++r) {
    const double until_s = std::min(result_.end_s, result_.shut_down_s[r]);
    result_.replica_down_s.push_back(result_.end_s - served_s(fleet_.replicas[r], until_s));
  }
  return std::move(result_);
}

}  // namespace oblea
