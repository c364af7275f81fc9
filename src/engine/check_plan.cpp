#include "engine/check_plan.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/core.h>

namespace oblea {
namespace {

constexpr std::size_t kFaultsShown = 10;
constexpr double kTokensMax = 1 << 30;      // prompt and answer of one request: counted in int
constexpr double kPassOverClockStep = 100;  // a pass must be this much longer than the clock's last digit
constexpr double kTokensPerStepMax = 1000;  // drafts are a handful

class Faults {
 public:
  void note(std::string message) { faults_.push_back({Severity::error, {}, std::move(message), ""}); }
  void expect(bool holds, const char* where, const char* what, double value) {
    if (!holds) note(fmt::format("{}: {} ({})", where, what, value));
  }
  void expect_seconds(const char* where, const char* what, double seconds) {
    if (!(seconds >= 0 && std::isfinite(seconds))) note(fmt::format("{}: {} takes {} s", where, what, seconds));
  }
  bool is_enough() const { return faults_.size() >= kFaultsShown; }
  Diagnostics take() { return std::move(faults_); }

 private:
  Diagnostics faults_;
};

void check_serving(const ServingPlan& serving, Faults& faults) {
  const auto expect = [&](bool holds, const char* what, double value) { faults.expect(holds, "server", what, value); };
  expect(serving.sequences_max >= 1, "at least 1 sequence at once", serving.sequences_max);
  expect(serving.micro_batches >= 1, "at least 1 group of sequences", serving.micro_batches);
  expect(serving.block_tokens >= 1, "a block of the cache holds at least 1 token", serving.block_tokens);
  expect(serving.context_max >= 0, "the longest context is a number of tokens, or 0 for none", serving.context_max);
  expect(std::isfinite(serving.cache_tokens) && serving.cache_tokens >= std::max(1, serving.block_tokens),
         "the cache has no room for one block", serving.cache_tokens);
  expect(serving.tokens_per_step >= 1 && serving.tokens_per_step <= kTokensPerStepMax,
         "a step makes 1 to 1,000 tokens a sequence", serving.tokens_per_step);
  expect(serving.positions_per_step >= 1 && serving.positions_per_step <= kTokensPerStepMax,
         "a step checks 1 to 1,000 positions a sequence", serving.positions_per_step);
  faults.expect_seconds("server", "an iteration's overhead", serving.overhead_s);
  const bool is_single = serving.kind == Serving::single;
  const int groups = is_single ? 1 : std::clamp(serving.micro_batches, 1, std::max(1, serving.sequences_max));
  const int sequences = is_single ? 1 : std::max(1, serving.sequences_max);
  const std::int64_t in_a_group = 1 + (sequences - 1) / groups;
  expect(serving.pass_tokens >= in_a_group * serving.positions_per_step,
         "a pass has room for every sequence of its group", serving.pass_tokens);
}

void check_links(const EnginePlan& plan, Faults& faults) {
  for (const LinkPlan& link : plan.links) {
    faults.expect(std::isfinite(link.bytes_per_s) && link.bytes_per_s > 0, link.name.c_str(),
                  "a link carries more than 0 bytes/s", link.bytes_per_s);
    faults.expect_seconds(link.name.c_str(), "its latency", link.latency_s);
  }
}

// Seconds of a decode pass of one sequence; what the functions give for other numbers is seen in the run.
double check_stages(const EnginePlan& plan, Faults& faults) {
  double pass_s = plan.serving.overhead_s;
  for (const StagePlan& stage : plan.stages) {
    const char* name = stage.name.c_str();
    if (!stage.decode_s || !stage.prefill_s) {
      faults.note(fmt::format("stage {} has no times", stage.name));
      continue;
    }
    const double decode_s = stage.decode_s(1);
    faults.expect_seconds(name, "decoding with one sequence", decode_s);
    faults.expect_seconds(name, "a hop's latency", stage.hop_latency_s);
    faults.expect_seconds(name, "a hop's token", stage.hop_s_per_token);
    faults.expect(stage.hop_link >= -1 && stage.hop_link < static_cast<int>(plan.links.size()), name,
                  "its hop goes over a link that the plan does not have", stage.hop_link);
    faults.expect(stage.collective_link >= -1 && stage.collective_link < static_cast<int>(plan.links.size()), name,
                  "its collectives go over a link that the plan does not have", stage.collective_link);
    for (const AttendedCost& cost : stage.attended) {
      faults.expect_seconds(name, "reading a token of the cache", cost.seconds_per_token);
      faults.expect(cost.window >= 0, name, "a window is a number of tokens, or 0 for all", cost.window);
    }
    pass_s += decode_s;
  }
  return pass_s;
}

void check_request(const Request& request, std::size_t number, bool is_closed, Faults& faults) {
  const auto note = [&](const std::string& what) { faults.note(fmt::format("request {} {}", number, what)); };
  if (request.prompt_tokens < 1 || request.output_tokens < 1) {
    note(fmt::format("has {} prompt and {} answer tokens; each takes at least 1", request.prompt_tokens,
                     request.output_tokens));
  } else if (static_cast<double>(request.prompt_tokens) + request.output_tokens > kTokensMax) {
    note(fmt::format("has {} prompt and {} answer tokens; {:.0f} are counted at most", request.prompt_tokens,
                     request.output_tokens, kTokensMax));
  }
  if (request.prefix >= 0 && (request.prefix_tokens < 0 || request.prefix_tokens > request.prompt_tokens)) {
    note(fmt::format("shares {} of its {} prompt tokens", request.prefix_tokens, request.prompt_tokens));
  }
  if (!is_closed && !(request.arrival_s >= 0 && std::isfinite(request.arrival_s))) {
    note(fmt::format("arrives at {} s", request.arrival_s));
  }
}

// The latest time that the plan itself names.
double check_requests(const EngineRequests& requests, Faults& faults) {
  if (requests.requests.empty()) faults.note("no requests: there is nothing to play");
  faults.expect(requests.closed_users >= 0, "closed loop", "a number of users", requests.closed_users);
  faults.expect_seconds("closed loop", "thinking", requests.think_s);
  const bool is_closed = requests.closed_users > 0;
  double latest_s = 0;
  for (std::size_t i = 0; i < requests.requests.size() && !faults.is_enough(); ++i) {
    check_request(requests.requests[i], i + 1, is_closed, faults);
    if (!is_closed) latest_s = std::max(latest_s, requests.requests[i].arrival_s);
  }
  return latest_s;
}

// The shortest pass.
double check_plan(const EnginePlan& plan, Faults& faults) {
  if (plan.stages.empty()) faults.note("a plan without stages serves nobody");
  check_serving(plan.serving, faults);
  check_links(plan, faults);
  faults.expect_seconds("server", "loading", plan.start_s);
  if (faults.is_enough()) return 0;
  const double pass_s = check_stages(plan, faults);
  if (!plan.stages.empty() && pass_s <= 0) faults.note("a pass that takes no time makes tokens without end");
  return pass_s;
}

// The latest time that a phase that serves names.
double check_phases(const Replica& replica, Faults& faults) {
  const char* name = replica.name.empty() ? "replica" : replica.name.c_str();
  double latest_s = 0;
  double before_s = 0;
  for (const Phase& phase : replica.phases) {
    faults.expect(phase.from_s >= before_s && std::isfinite(phase.from_s), name, "phases follow each other",
                  phase.from_s);
    before_s = phase.from_s;
    if (!phase.plan) continue;
    faults.expect(phase.ready_s >= phase.from_s && std::isfinite(phase.ready_s), name,
                  "a phase is ready after it has begun", phase.ready_s);
    latest_s = std::max(latest_s, phase.ready_s);
  }
  return latest_s;
}

// A plan that comes back after a repair is looked at once.
std::vector<const EnginePlan*> distinct_plans(const FleetPlan& fleet) {
  std::vector<const EnginePlan*> plans;
  for (const EnginePlan* plan : plans_of(fleet)) {
    if (std::find(plans.begin(), plans.end(), plan) == plans.end()) plans.push_back(plan);
  }
  return plans;
}

}  // namespace

Diagnostics check_run(const FleetPlan& fleet, const EngineRequests& requests) {
  Faults faults;
  double latest_s = check_requests(requests, faults);
  for (const Replica& replica : fleet.replicas) latest_s = std::max(latest_s, check_phases(replica, faults));
  faults.expect_seconds("replicas", "handing a cache over", fleet.handover_latency_s);
  faults.expect_seconds("replicas", "handing a token of a cache over", fleet.handover_s_per_token);
  const std::vector<const EnginePlan*> plans = distinct_plans(fleet);
  if (plans.empty()) faults.note("no replica ever serves");
  const double clock_step_s = std::nextafter(latest_s, std::numeric_limits<double>::infinity()) - latest_s;
  for (const EnginePlan* plan : plans) {
    if (faults.is_enough()) break;
    const double pass_s = check_plan(*plan, faults);
    if (pass_s > 0 && pass_s < kPassOverClockStep * clock_step_s) {
      faults.note(fmt::format("a pass of {} s is too short for a clock that reads {} s", pass_s, latest_s));
    }
  }
  return faults.take();
}

}  // namespace oblea
