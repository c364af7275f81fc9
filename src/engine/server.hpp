// Server: scheduler, source of requests and the record of what happened to them, for both ways of running time.
#pragma once

#include "engine/request_source.hpp"
#include "engine/scheduler.hpp"

namespace oblea {

class Server {
 public:
  Server(const EnginePlan& plan, const EngineRequests& requests, const EngineOptions& options);

  int groups() const { return group_count(plan_.serving); }
  bool has_work(int group) const { return scheduler_.has_work(group); }
  bool is_over() const { return ended_ == result_.requests.size(); }
  double next_arrival_s() const { return source_.next_arrival_s(); }

  // Whoever has come by now; the group that each goes to, -1 for one that is rejected.
  std::vector<int> take_arrivals(double now_s);
  Pass begin(int group, double now_s);
  void end(int group, const Pass& pass, int passes, double now_s);

  // Decode passes in a row until something is to be decided: an answer is complete, the cache is full, or a request
  // comes that could enter. 1 where the pass reads prompts or may not be repeated.
  int passes_in_a_row(int group, const Pass& pass, double now_s) const;

  // Notes what stages did; and on the timeline, where it is wanted.
  void note(const std::vector<StageTime>& stages, int passes);
  void note_span(const Span& span);

  const PassCost& cost() const { return cost_; }
  const EnginePlan& plan() const { return plan_; }
  EngineResult take_result(double end_s);

 private:
  RequestResult& of(int request) { return result_.requests[static_cast<std::size_t>(request)]; }
  void finish(const Sequence& sequence, double now_s);
  void tell_progress();

  const EnginePlan& plan_;
  const EngineOptions& options_;
  PassCost cost_;
  RequestSource source_;
  Scheduler scheduler_;
  EngineResult result_;
  std::size_t ended_ = 0;
  std::size_t told_ = 0;
};

}  // namespace oblea
