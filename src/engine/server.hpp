// Server: one replica under one plan: its scheduler, what its passes cost, and what becomes of requests with each pass.
#pragma once

#include "engine/request_source.hpp"
#include "engine/run_record.hpp"
#include "engine/scheduler.hpp"

namespace oblea {

// Where a replica's plan stands among all lanes and links.
struct ServerPlace {
  int replica = 0;
  Role role = Role::whole;
  int first_lane = 0;
  int first_link = 0;
};

// Whose answer is complete, and whose prompt was read for another replica to answer.
struct EndedPass {
  std::vector<int> finished;
  std::vector<int> leaving;
};

// Requests of a server that stops: begun ones lose what they had.
struct Abandoned {
  std::vector<int> waiting;
  std::vector<int> begun;
  std::int64_t made_tokens = 0;
};

// Whether a replica of this role and plan could take the request alone: a prefill replica makes its first token only.
bool can_serve(const EnginePlan& plan, Role role, const Request& request);

class Server {
 public:
  Server(const EnginePlan& plan, const ServerPlace& place, const RequestSource& source, RunRecord& record);

  // A request joins; its group. `is_read`: another replica has read its prompt and made its first token.
  int receive(int request, bool is_read);
  bool fits(int request) const { return can_serve(plan_, place_.role, source_.request(request)); }
  std::size_t load() const { return scheduler_.load(); }

  int groups() const { return group_count(plan_.serving); }
  bool has_work(int group) const { return scheduler_.has_work(group); }
  bool is_empty() const { return scheduler_.is_empty() && scheduler_.tokens_used() == 0; }
  bool can_admit_more(int group) const { return scheduler_.can_admit_more(group); }

  // Nothing to do is an answer where leaving sequences hold all of the cache.
  Pass begin(int group, double now_s);
  EndedPass end(int group, const Pass& pass, std::int64_t passes, double now_s);
  int release(int request) { return scheduler_.release(request); }
  Abandoned abandon() const;

  // Of passes that begin from now on; false where it is as it was.
  bool set_pace(std::span<const Pace> by_lane);

  // Decode passes in a row until something is to be decided: an answer is complete or the cache is full. 1 where the
  // pass reads prompts or may not be repeated.
  int passes_in_a_row(int group, const Pass& pass) const;
  // Of a row that began at `begin_s`: passes until the first boundary at or after `at_s`; whole ones by `at_s`.
  int passes_until(const Pass& pass, int passes, double begin_s, double at_s) const;
  int passes_by(const Pass& pass, int passes, double begin_s, double at_s) const;

  // What is done by now of a row that is under way goes into the record's activity.
  void note_progress(const Pass& pass, int passes, double now_s);
  void note_span(Span span);
  const PassCost& cost() const { return cost_; }
  const EnginePlan& plan() const { return plan_; }
  const ServerPlace& place() const { return place_; }

 private:
  void note_work(const Pass& pass, double end_s);

  const EnginePlan& plan_;
  ServerPlace place_;
  PassCost cost_;
  const RequestSource& source_;
  RunRecord& record_;
  Scheduler scheduler_;
  std::shared_ptr<const std::vector<Pace>> pace_;  // null: as planned
  std::vector<StageTime> stages_;
  std::vector<StageTime> noted_;  // of the row that is under way
  double noted_s_ = 0;            // until when
};

}  // namespace oblea
