// RunRecord: the stamps of every request, what lanes and links did, and the checks that nothing was lost on the way.
#pragma once

#include <cmath>
#include <optional>

#include "engine/activity_log.hpp"
#include "engine/engine_result.hpp"
#include "engine/pass_cost.hpp"
#include "engine/run_engine.hpp"

namespace oblea {

// A pass, or a row of equal ones, that was done to its end.
struct DonePass {
  int replica = 0;
  double begin_s = 0;
  double end_s = 0;
  bool reads = false;  // prompts
  int first_lane = 0;
  int first_link = 0;
  std::int64_t passes = 1;
  const std::vector<StageTime>* stages = nullptr;
};

class RunRecord {
 public:
  RunRecord(const FleetPlan& fleet, const EngineRequests& requests, const EngineOptions& options);

  void arrived(int request, double at_s) { of(request).arrival_s = at_s; }
  void admitted(int request, double now_s);
  void preempted(int request) { ++of(request).preemptions; }
  void first_token(int request, double now_s) { of(request).first_token_s = now_s; }
  void finished(int request, int replica, double now_s);
  void rejected(int request, double now_s) { ended_without(request, Outcome::rejected, now_s); }
  void lost(int request, double now_s) { ended_without(request, Outcome::lost, now_s); }
  void retried(int request) { ++of(request).retries; }
  int attempts(int request) const { return result_.requests[static_cast<std::size_t>(request)].retries; }

  bool has_ended(int request) const { return ended_requests_[static_cast<std::size_t>(request)]; }

  void done(const EnginePlan& plan, const DonePass& pass);
  // What a pacer is to be told; null: nobody paces this run.
  ActivityLog* activity() { return activity_ ? &*activity_ : nullptr; }
  void looked(double now_s, const std::vector<double>& sample);
  void shut_down(int replica, double now_s) { result_.shut_down_s[static_cast<std::size_t>(replica)] = now_s; }
  bool is_shut_down(int replica) const { return std::isfinite(result_.shut_down_s[static_cast<std::size_t>(replica)]); }
  void span(const Span& span);
  void discarded(std::int64_t tokens) { result_.discarded_tokens += tokens; }
  void handed_over(double seconds) { result_.handover_s += seconds; }
  void read(std::int64_t tokens) { result_.prompt_tokens += tokens; }
  void cache_in_use(double tokens) { result_.cache_tokens_peak = std::max(result_.cache_tokens_peak, tokens); }
  void begun() { ++result_.steps; }
  void put_back(std::int64_t sequences) { result_.preemptions += sequences; }

  bool is_over() const { return ended_ == result_.requests.size(); }

  // After the last request has ended: checks, sums, and the result.
  EngineResult take_result();

 private:
  RequestResult& of(int request) { return result_.requests[static_cast<std::size_t>(request)]; }
  void ended_without(int request, Outcome outcome, double now_s);
  void ended(int request, double now_s);

  const FleetPlan& fleet_;
  const EngineOptions& options_;
  EngineResult result_;
  std::optional<ActivityLog> activity_;
  std::vector<bool> ended_requests_;
  std::vector<BusyTime> busy_;  // by replica
  std::size_t ended_ = 0;
  std::size_t told_ = 0;
};

}  // namespace oblea
