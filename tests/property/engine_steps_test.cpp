// Macro-steps and the max-plus recursion give the stamps of the step-by-step run, whatever is switched on.
#include <gtest/gtest.h>
#include <boost/random/uniform_real_distribution.hpp>
#include <cmath>

#include "support/engine_plans.hpp"

namespace oblea {
namespace {

constexpr std::uint64_t kSeed = 20261201;

class Dice {
 public:
  explicit Dice(std::uint64_t trial) : stream_(make_random_stream(kSeed + trial, "engine steps")) {}
  double real(double low, double high) { return boost::random::uniform_real_distribution<double>(low, high)(stream_); }
  int whole(int low, int high) { return low + static_cast<int>(stream_() % static_cast<unsigned>(high - low + 1)); }
  bool coin() { return stream_() % 2 == 0; }

 private:
  RandomStream stream_;
};

StagePlan random_stage(Dice& dice, bool first, int links) {
  StagePlan stage;
  stage.name = "stage";
  const double fixed = dice.real(1e-3, 5e-3);
  const double each = dice.coin() ? dice.real(0, 1e-4) : 0;
  const double token = dice.real(1e-6, 1e-5);
  const double deep = dice.coin() ? dice.real(0, 1e-9) : 0;
  stage.decode_s = [=](int sequences) { return fixed + each * sequences; };
  stage.prefill_s = [=](double tokens, double depth) { return fixed + token * tokens + deep * tokens * depth; };
  if (dice.coin()) stage.attended.push_back({dice.real(1e-8, 1e-6), 0});
  if (dice.coin()) stage.attended.push_back({dice.real(1e-8, 1e-6), static_cast<double>(dice.whole(5, 60))});
  if (dice.coin()) {
    const double wait = dice.real(1e-5, 1e-4);
    stage.collective_s = [wait](double tokens) { return wait * (1 + tokens / 100); };
  }
  if (!first) {
    stage.hop_latency_s = dice.real(1e-5, 1e-4);
    stage.hop_s_per_token = 16384.0 / 1e8;
    if (links > 0) stage.hop_link = dice.whole(-1, links - 1);
  }
  return stage;
}

EnginePlan random_plan(Dice& dice) {
  EnginePlan plan;
  const int stages = dice.whole(1, 4);
  if (dice.coin()) plan.links.push_back({"link", 1e8, 1e-6});
  for (int s = 0; s < stages; ++s)
    plan.stages.push_back(random_stage(dice, s == 0, static_cast<int>(plan.links.size())));
  ServingPlan& serving = plan.serving;
  serving.kind = static_cast<Serving>(dice.whole(0, 2));
  serving.sequences_max = dice.whole(1, 8);
  serving.pass_tokens = dice.whole(9, 200);
  serving.block_tokens = dice.whole(1, 16);
  serving.context_max = dice.coin() ? dice.whole(60, 200) : 0;
  serving.prefix_cache = dice.coin();
  serving.overhead_s = dice.coin() ? dice.real(1e-4, 3e-3) : 0;
  if (dice.whole(0, 2) == 0) {
    serving.positions_per_step = dice.whole(2, 5);
    serving.tokens_per_step = dice.coin() ? 1 + dice.whole(0, 10) * 0.1 : dice.real(1, 3);
    serving.pass_tokens = std::max(serving.pass_tokens, serving.sequences_max * serving.positions_per_step);
    plan.stages.front().draft_s = [](int sequences) { return 1e-4 * (3 + sequences); };
  }
  serving.micro_batches = serving.kind == Serving::single || dice.coin() ? 1 : dice.whole(2, 4);
  const double rows = serving.kind == Serving::slots ? serving.sequences_max + 3 : dice.whole(1, 8);
  serving.cache_tokens = rows * dice.whole(100, 260) * (serving.micro_batches > 1 ? 2 : 1);
  plan.start_s = dice.coin() ? dice.real(0, 0.2) : 0;
  return plan;
}

// A plan, then perhaps down, loading, and another plan; the last phase serves, now and then it does not.
Replica random_replica(Dice& dice, Role role, bool fails) {
  Replica replica;
  replica.role = role;
  double now = 0;
  const int phases = fails ? dice.whole(1, 5) : 1;
  for (int p = 0; p < phases; ++p) {
    Phase phase;
    phase.from_s = now;
    if (p % 2 == 0 || dice.coin()) phase.plan = std::make_shared<const EnginePlan>(random_plan(dice));
    phase.ready_s = now + (dice.coin() ? dice.real(0, 0.2) : 0);
    replica.phases.push_back(phase);
    now += dice.real(0.01, 1.5);
  }
  return replica;
}

FleetPlan random_fleet(Dice& dice) {
  FleetPlan fleet;
  const bool fails = dice.coin();
  const bool split = dice.whole(0, 2) == 0;
  const int replicas = split ? dice.whole(2, 4) : dice.whole(1, 3);
  for (int r = 0; r < replicas; ++r) {
    const Role role = !split   ? Role::whole
                      : r == 0 ? Role::prefill
                      : r == 1 ? Role::decode
                               : static_cast<Role>(dice.whole(0, 2));
    fleet.replicas.push_back(random_replica(dice, role, fails));
  }
  fleet.balancing = dice.coin() ? Balancing::least_requests : Balancing::round_robin;
  fleet.retry = dice.coin();
  fleet.handover_latency_s = dice.real(1e-4, 1e-2);
  fleet.handover_s_per_token = dice.real(1e-6, 1e-3);
  return fleet;
}

EngineRequests random_requests(Dice& dice) {
  EngineRequests requests;
  if (dice.coin()) {
    requests.closed_users = dice.whole(1, 6);
    requests.think_s = dice.coin() ? dice.real(0, 0.1) : 0;
  }
  const int count = dice.whole(1, 25);
  const int burst = dice.whole(1, 5);
  double now = 0;
  for (int i = 0; i < count; ++i) {
    if (i % burst == 0) now += dice.real(0, 0.3);
    Request request =
        test::request_of(now + (dice.coin() ? dice.real(0, 1e-3) : 0), dice.whole(1, 90), dice.whole(1, 60));
    if (dice.coin()) {
      request.prefix = dice.whole(0, 1);
      request.prefix_tokens = std::min(dice.whole(1, 30), request.prompt_tokens);
    }
    requests.requests.push_back(request);
  }
  return requests;
}

void expect_near(double a, double b, const char* what, std::uint64_t trial) {
  EXPECT_NEAR(a, b, 1e-9 * (1 + std::abs(b))) << what << ", seed " << kSeed << ", trial " << trial;
}

struct Sums {
  std::int64_t steps = 0, iterations = 0, preemptions = 0, rejected = 0, lost = 0, retries = 0, discarded = 0;
  double handover_s = 0;
};

void compare(const EngineResult& fast, const EngineResult& slow, std::uint64_t trial, Sums& sums) {
  for (std::size_t i = 0; i < fast.requests.size(); ++i) {
    const RequestResult& a = fast.requests[i];
    const RequestResult& b = slow.requests[i];
    expect_near(a.arrival_s, b.arrival_s, "arrival", trial);
    expect_near(a.admitted_s, b.admitted_s, "admitted", trial);
    expect_near(a.first_token_s, b.first_token_s, "first token", trial);
    expect_near(a.finished_s, b.finished_s, "finished", trial);
    EXPECT_EQ(a.outcome, b.outcome) << "trial " << trial;
    EXPECT_EQ(a.preemptions, b.preemptions) << "trial " << trial;
    EXPECT_EQ(a.retries, b.retries) << "trial " << trial;
    EXPECT_EQ(a.replica, b.replica) << "trial " << trial;
    sums.rejected += a.outcome == Outcome::rejected;
    sums.lost += a.outcome == Outcome::lost;
    sums.retries += a.retries;
  }
  for (std::size_t s = 0; s < fast.stage_work_s.size(); ++s) {
    expect_near(fast.stage_work_s[s], slow.stage_work_s[s], "work", trial);
    expect_near(fast.stage_prompt_s[s], slow.stage_prompt_s[s], "prompts", trial);
    expect_near(fast.stage_network_s[s], slow.stage_network_s[s], "network", trial);
  }
  for (std::size_t r = 0; r < fast.replica_down_s.size(); ++r) {
    expect_near(fast.replica_busy_s[r], slow.replica_busy_s[r], "busy", trial);
    expect_near(fast.replica_down_s[r], slow.replica_down_s[r], "down", trial);
  }
  expect_near(fast.end_s, slow.end_s, "end", trial);
  expect_near(fast.handover_s, slow.handover_s, "handover", trial);
  EXPECT_EQ(fast.iterations, slow.iterations) << "trial " << trial;
  EXPECT_EQ(fast.prompt_tokens, slow.prompt_tokens) << "trial " << trial;
  EXPECT_EQ(fast.output_tokens, slow.output_tokens) << "trial " << trial;
  EXPECT_EQ(fast.discarded_tokens, slow.discarded_tokens) << "trial " << trial;
  sums.steps += fast.steps;
  sums.iterations += fast.iterations;
  sums.preemptions += fast.preemptions;
  sums.discarded += fast.discarded_tokens;
  sums.handover_s += fast.handover_s;
}

TEST(EngineSteps, MacroStepsAreTheSlowTruth) {
  Sums sums;
  for (std::uint64_t trial = 0; trial < 300 && !testing::Test::HasFailure(); ++trial) {
    Dice dice(trial);
    const EnginePlan plan = random_plan(dice);
    const EngineRequests requests = random_requests(dice);
    compare(test::run_plan(plan, requests, {}), test::run_plan(plan, requests, {true, false, {}}), trial, sums);
  }
  EXPECT_LT(sums.steps, sums.iterations);  // rows were taken at once
  EXPECT_GT(sums.preemptions, 0);          // and the rarer ways were gone
  EXPECT_GT(sums.rejected, 0);
}

// Replicas that fail and come back with other plans, load balancing, prompts read elsewhere.
TEST(EngineSteps, FleetsToo) {
  Sums sums;
  for (std::uint64_t trial = 1000; trial < 1300 && !testing::Test::HasFailure(); ++trial) {
    Dice dice(trial);
    const FleetPlan fleet = random_fleet(dice);
    const EngineRequests requests = random_requests(dice);
    compare(test::run_plan(fleet, requests, {}), test::run_plan(fleet, requests, {true, false, {}}), trial, sums);
  }
  EXPECT_LT(sums.steps, sums.iterations);
  EXPECT_GT(sums.rejected, 0);
  EXPECT_GT(sums.lost, 0);
  EXPECT_GT(sums.retries, 0);
  EXPECT_GT(sums.discarded, 0);
  EXPECT_GT(sums.handover_s, 0);
}

// Stages slow down with what they did, by different factors, and now and then a replica stops for good.
class WarmingPacer : public Pacer {
 public:
  WarmingPacer(Dice& dice, const FleetPlan& fleet)
      : lanes_(lane_names(fleet).size()), replicas_(fleet.replicas.size()), every_s_(dice.real(0.003, 0.3)) {
    gain_ = dice.real(0, 3);
    if (dice.whole(0, 3) == 0) stops_at_ = dice.whole(1, 8);
  }
  double first_look_s() const override { return every_s_; }
  Look look(const Activity& activity) override {
    Look seen;
    ++looks_;
    told_ = 0;
    for (std::size_t lane = 0; lane < lanes_; ++lane) {
      const double share = (activity.decode_s[lane] + activity.prompt_s[lane]) / every_s_;
      told_ += activity.decode_s[lane] + 2 * activity.prompt_s[lane];
      seen.pace.push_back({1 + gain_ * share, 1 + gain_ * share / 2});
    }
    for (const double busy_s : activity.busy_s) told_ += busy_s;
    if (looks_ == stops_at_) seen.shut_down = {static_cast<int>(replicas_) - 1};
    seen.next_s = activity.to_s + every_s_;
    return seen;
  }
  std::vector<double> sample() const override { return {told_}; }

 private:
  std::size_t lanes_;
  std::size_t replicas_;
  double every_s_;
  double gain_;
  int stops_at_ = -1;
  int looks_ = 0;
  double told_ = 0;
};

TEST(EngineSteps, ChangingClocksToo) {
  Sums sums;
  std::size_t looks = 0;
  int stopped = 0;
  for (std::uint64_t trial = 2000; trial < 2300 && !testing::Test::HasFailure(); ++trial) {
    Dice dice(trial);
    const FleetPlan fleet = random_fleet(dice);
    const EngineRequests requests = random_requests(dice);
    EngineOptions options;
    options.pacer = std::make_shared<WarmingPacer>(dice, fleet);
    const EngineResult fast = test::run_plan(fleet, requests, options);
    options.step_by_step = true;
    const EngineResult slow = test::run_plan(fleet, requests, options);
    compare(fast, slow, trial, sums);
    for (std::size_t i = 0; i < std::min(fast.samples.size(), slow.samples.size()); ++i) {
      expect_near(fast.samples[i], slow.samples[i], "activity", trial);
    }
    looks += fast.look_s.size();
    for (const double at_s : fast.shut_down_s) stopped += std::isfinite(at_s);
  }
  EXPECT_LT(sums.steps, sums.iterations);
  EXPECT_GT(looks, 1000U);
  EXPECT_GT(stopped, 0);
  EXPECT_GT(sums.lost, 0);
}

}  // namespace
}  // namespace oblea
