// Macro-steps and the max-plus recursion give the stamps of the step-by-step run, whatever is switched on.
#include <gtest/gtest.h>
#include <boost/random/uniform_real_distribution.hpp>

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
  serving.tokens_per_step = dice.whole(0, 3) == 0 ? dice.real(1, 3) : 1;
  serving.micro_batches = serving.kind == Serving::single || dice.coin() ? 1 : dice.whole(2, 4);
  const double rows = serving.kind == Serving::slots ? serving.sequences_max + 3 : dice.whole(1, 8);
  serving.cache_tokens = rows * dice.whole(100, 260) * (serving.micro_batches > 1 ? 2 : 1);
  plan.start_s = dice.coin() ? dice.real(0, 0.2) : 0;
  return plan;
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

TEST(EngineSteps, MacroStepsAreTheSlowTruth) {
  std::int64_t steps = 0, iterations = 0, preemptions = 0, rejected = 0;
  for (std::uint64_t trial = 0; trial < 300; ++trial) {
    Dice dice(trial);
    const EnginePlan plan = random_plan(dice);
    const EngineRequests requests = random_requests(dice);
    const EngineResult fast = test::run_plan(plan, requests, {false, false, {}});
    const EngineResult slow = test::run_plan(plan, requests, {true, false, {}});
    for (std::size_t i = 0; i < fast.requests.size(); ++i) {
      const RequestResult& a = fast.requests[i];
      const RequestResult& b = slow.requests[i];
      expect_near(a.arrival_s, b.arrival_s, "arrival", trial);
      expect_near(a.admitted_s, b.admitted_s, "admitted", trial);
      expect_near(a.first_token_s, b.first_token_s, "first token", trial);
      expect_near(a.finished_s, b.finished_s, "finished", trial);
      EXPECT_EQ(a.outcome, b.outcome) << "trial " << trial;
      EXPECT_EQ(a.preemptions, b.preemptions) << "trial " << trial;
      rejected += a.outcome == Outcome::rejected;
    }
    for (std::size_t s = 0; s < fast.stage_work_s.size(); ++s) {
      expect_near(fast.stage_work_s[s], slow.stage_work_s[s], "work", trial);
      expect_near(fast.stage_network_s[s], slow.stage_network_s[s], "network", trial);
    }
    EXPECT_EQ(fast.iterations, slow.iterations) << "trial " << trial;
    EXPECT_EQ(fast.output_tokens, slow.output_tokens) << "trial " << trial;
    steps += fast.steps;
    iterations += fast.iterations;
    preemptions += fast.preemptions;
    if (testing::Test::HasFailure()) return;
  }
  EXPECT_LT(steps, iterations);  // rows were taken at once
  EXPECT_GT(preemptions, 0);     // and the rarer ways were gone
  EXPECT_GT(rejected, 0);
}

}  // namespace
}  // namespace oblea
