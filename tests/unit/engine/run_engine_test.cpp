#include "engine/run_engine.hpp"

#include <csignal>

#include <gtest/gtest.h>

#include "support/engine_plans.hpp"

namespace oblea {
namespace {

using test::constant_stage;
using test::plan_of;
using test::request_of;
using test::run_plan;

EngineRequests open(std::vector<Request> requests) {
  EngineRequests all;
  all.requests = std::move(requests);
  return all;
}

// Three stages of 3, 1 and 2 ms, hops of 0.5 ms: a prompt of 100 tokens at 0.01 ms each and stage, then 9 more tokens.
// Prompt: 3 + 1 + 2 + 3 x 100 x 0.01 + 2 x 0.5 = 10 ms; each further token 3 + 1 + 2 + 2 x 0.5 = 7 ms.
TEST(RunEngine, OneRequestThroughAnEmptyPipelineTakesTheSumOfItsTimes) {
  EnginePlan plan = plan_of({constant_stage(3e-3, 1e-5), constant_stage(1e-3, 1e-5), constant_stage(2e-3, 1e-5)});
  plan.stages[1].hop_latency_s = plan.stages[2].hop_latency_s = 5e-4;
  for (const bool step_by_step : {false, true}) {
    const EngineResult result = run_plan(plan, open({request_of(0.25, 100, 10)}), {step_by_step, true, {}});
    EXPECT_NEAR(result.requests[0].first_token_s, 0.260, 1e-9);
    EXPECT_NEAR(result.requests[0].finished_s, 0.260 + 9 * 7e-3, 1e-9);
    EXPECT_EQ(result.output_tokens, 10);
    EXPECT_EQ(result.prompt_tokens, 100);
    EXPECT_EQ(result.iterations, 10);
    EXPECT_NEAR(result.stage_work_s[0], 0.001 + 10 * 3e-3, 1e-9);
    EXPECT_NEAR(result.stage_network_s[1], 10 * 5e-4, 1e-9);
  }
}

// A cache read at 1 us a token: contexts 101 .. 104 of four decode passes behind a prompt of 100.
TEST(RunEngine, ContextsGrowByOneAToken) {
  EnginePlan plan = plan_of({constant_stage(1e-3)});
  plan.stages[0].attended = {{1e-6, 0}};
  const EngineResult result = run_plan(plan, open({request_of(0, 100, 5)}));
  EXPECT_NEAR(result.requests[0].finished_s, 5e-3 + (101 + 102 + 103 + 104) * 1e-6, 1e-12);
  EXPECT_LE(result.steps, 2);
}

TEST(RunEngine, WhoComesMeanwhileEntersAtTheNextBoundary) {
  const EnginePlan plan = plan_of({constant_stage(1e-3)}, 2);
  const EngineResult result = run_plan(plan, open({request_of(0, 1, 10), request_of(0.0034, 1, 2)}));
  EXPECT_NEAR(result.requests[1].admitted_s, 4e-3, 1e-12);
  EXPECT_NEAR(result.requests[1].first_token_s, 5e-3, 1e-12);
  EXPECT_NEAR(result.requests[1].finished_s, 6e-3, 1e-12);
  EXPECT_NEAR(result.requests[0].finished_s, 10e-3, 1e-12);
}

TEST(RunEngine, TooLongIsRejectedAndCounted) {
  EnginePlan plan = plan_of({constant_stage(1e-3)});
  plan.serving.context_max = 50;
  const EngineResult result = run_plan(plan, open({request_of(0, 45, 6), request_of(0, 45, 5)}));
  EXPECT_EQ(result.requests[0].outcome, Outcome::rejected);
  EXPECT_EQ(result.requests[1].outcome, Outcome::finished);
}

// Room for 30 tokens: two requests of 10 and 12 fit at first and outgrow it.
TEST(RunEngine, AFullCachePutsTheLastOneBack) {
  EnginePlan plan = plan_of({constant_stage(1e-3, 1e-5)}, 2, 30);
  const EngineRequests requests = open({request_of(0, 10, 12), request_of(0, 10, 12)});
  const EngineResult result = run_plan(plan, requests);
  EXPECT_GE(result.preemptions, 1);
  EXPECT_LE(result.cache_tokens_peak, 30);
  EXPECT_EQ(result.output_tokens, 24);
  EXPECT_GT(result.prompt_tokens, 20);  // read anew
}

TEST(RunEngine, ASharedPrefixIsReadOnce) {
  EnginePlan plan = plan_of({constant_stage(1e-3, 1e-5)}, 2);
  std::vector<Request> requests = {request_of(0, 100, 20), request_of(0.004, 100, 5)};
  for (Request& request : requests) {
    request.prefix = 7;
    request.prefix_tokens = 60;
  }
  EXPECT_EQ(run_plan(plan, open(requests)).prompt_tokens, 200);
  plan.serving.prefix_cache = true;
  EXPECT_EQ(run_plan(plan, open(requests)).prompt_tokens, 140);
}

TEST(RunEngine, NothingToDoIsAFault) {
  const EnginePlan plan = plan_of({constant_stage(1e-3)});
  EXPECT_FALSE(run_engine(plan, {}, {}));
  EXPECT_FALSE(run_engine(plan, open({request_of(0, 10, 0)}), {}));
  EXPECT_FALSE(run_engine(plan_of({}), open({request_of(0, 1, 1)}), {}));
  EXPECT_FALSE(run_engine(plan_of({constant_stage(0)}), open({request_of(0, 1, 1)}), {}));
}

TEST(RunEngine, AChildThatDiesIsToldApart) {
  EnginePlan plan = plan_of({constant_stage(1e-3)});
  int calls = 0;
  plan.stages[0].decode_s = [calls](int) mutable {
    if (++calls > 3) std::raise(SIGKILL);
    return 1e-3;
  };
  const Result<EngineResult> result = run_engine(plan, open({request_of(0, 1, 10), request_of(0.004, 1, 10)}), {});
  ASSERT_FALSE(result);
  EXPECT_NE(result.error()[0].message.find("killed"), std::string::npos);
}

TEST(RunEngine, ProgressEndsNearOne) {
  std::vector<Request> requests;
  for (int i = 0; i < 200; ++i) requests.push_back(request_of(i * 0.01, 1, 3));
  double last = 0;
  EngineOptions options;
  options.progress = [&](double share) { last = share; };
  run_plan(plan_of({constant_stage(1e-3)}), open(requests), options);
  EXPECT_NEAR(last, 1, 0.011);
}

// Twice as slow from 0.05 s on: the pass under way keeps its time.
class HalfSpeed : public Pacer {
 public:
  double first_look_s() const override { return 0.045; }
  Look look(const Activity& activity) override {
    told_ = activity.decode_s.front();
    Look seen;
    seen.pace = {{2, 3}};
    return seen;
  }
  std::vector<double> sample() const override { return {told_}; }

 private:
  double told_ = 0;
};

TEST(RunEngine, PassesThatBeginAfterALookHaveTheNewPace) {
  EngineRequests requests;
  requests.requests = {test::request_of(0, 1, 11)};
  EngineOptions options;
  options.pacer = std::make_shared<HalfSpeed>();
  const EngineResult result = test::run_plan(test::plan_of({test::constant_stage(0.01)}), requests, options);
  // Prompt until 0.01, four passes until 0.05, of which three are done at 0.045; six more at 0.02.
  EXPECT_NEAR(result.end_s, 0.05 + 6 * 0.02, 1e-12);
  ASSERT_EQ(result.samples.size(), 1U);
  EXPECT_NEAR(result.samples[0], 0.03, 1e-12);
}

// Says something once, and nothing at the second look.
class OnceSlower : public HalfSpeed {
 public:
  Look look(const Activity& activity) override {
    Look seen = HalfSpeed::look(activity);
    if (activity.from_s == 0) seen.next_s = 0.085;
    if (activity.from_s > 0) seen.pace.clear();
    return seen;
  }
};

TEST(RunEngine, ALookWithoutAPaceLeavesItAsItWas) {
  EngineRequests requests;
  requests.requests = {test::request_of(0, 1, 11)};
  EngineOptions options;
  options.pacer = std::make_shared<OnceSlower>();
  const EngineResult result = test::run_plan(test::plan_of({test::constant_stage(0.01)}), requests, options);
  EXPECT_EQ(result.look_s.size(), 2U);
  EXPECT_NEAR(result.end_s, 0.05 + 6 * 0.02, 1e-12);
}

// Of two replicas one stops for good: what it had begins anew on the other one.
class StopsTheFirst : public Pacer {
 public:
  double first_look_s() const override { return 0.045; }
  Look look(const Activity&) override {
    Look seen;
    seen.shut_down = {0};
    return seen;
  }
  std::vector<double> sample() const override { return {}; }
};

TEST(RunEngine, WhatIsShutDownServesNoMore) {
  FleetPlan fleet = fleet_of(test::plan_of({test::constant_stage(0.01)}));
  fleet.replicas.push_back(fleet.replicas.front());
  EngineRequests requests;
  requests.requests = {test::request_of(0, 1, 10), test::request_of(0, 1, 10)};
  EngineOptions options;
  options.pacer = std::make_shared<StopsTheFirst>();
  const EngineResult result = test::run_plan(fleet, requests, options);
  EXPECT_EQ(result.requests[0].retries, 1);
  EXPECT_EQ(result.requests[0].replica, 1);
  EXPECT_NEAR(result.requests[1].finished_s, 0.1, 1e-12);
  EXPECT_NEAR(result.requests[0].finished_s, 0.2, 1e-12);  // a server of one sequence
  EXPECT_NEAR(result.shut_down_s[0], 0.045, 1e-12);
  EXPECT_NEAR(result.replica_down_s[0], 0.155, 1e-12);
}

}  // namespace
}  // namespace oblea
