// Replicas, failures and prefill/decode splits, by hand: passes of 0.1 s, so an answer of 10 tokens takes 1 s.
#include "engine/fleet.hpp"

#include <gtest/gtest.h>

#include "support/engine_plans.hpp"

namespace oblea {
namespace {

using test::constant_stage;
using test::plan_of;
using test::request_of;
using test::run_plan;

constexpr double kExact = 1e-9;

std::shared_ptr<const EnginePlan> tenth_of_a_second(int context_max = 0) {
  EnginePlan plan = plan_of({constant_stage(0.1)});
  plan.serving.context_max = context_max;
  return std::make_shared<const EnginePlan>(plan);
}

Replica always(const std::string& name, Role role = Role::whole) { return {name, role, {{0, tenth_of_a_second(), 0}}}; }

// Down from 0.55 s on, and serving again from 2 s on.
Replica fails_once(const std::string& name) {
  return {name, Role::whole, {{0, tenth_of_a_second(), 0}, {0.55, tenth_of_a_second(), 2}}};
}

EngineRequests at_once(int count) {
  EngineRequests requests;
  for (int i = 0; i < count; ++i) requests.requests.push_back(request_of(0, 1, 10));
  return requests;
}

TEST(Fleet, TwoReplicasAnswerTwoAtOnce) {
  FleetPlan fleet;
  fleet.replicas = {always("a")};
  EXPECT_NEAR(run_plan(fleet, at_once(2)).requests[1].finished_s, 2, kExact);
  fleet.replicas.push_back(always("b"));
  const EngineResult both = run_plan(fleet, at_once(2));
  EXPECT_NEAR(both.requests[1].finished_s, 1, kExact);
  EXPECT_EQ(both.requests[0].replica, 0);
  EXPECT_EQ(both.requests[1].replica, 1);
}

// Five of ten tokens are made by 0.5 s and lost at 0.55; the second attempt takes from 2 to 3 s.
TEST(Fleet, AFailureBeginsARequestAnew) {
  FleetPlan fleet;
  fleet.replicas = {fails_once("a")};
  const EngineResult result = run_plan(fleet, at_once(1));
  EXPECT_NEAR(result.requests[0].finished_s, 3, kExact);
  EXPECT_NEAR(result.requests[0].first_token_s, 2.1, kExact);
  EXPECT_EQ(result.requests[0].retries, 1);
  EXPECT_EQ(result.discarded_tokens, 5);
  EXPECT_EQ(result.output_tokens, 10);
  EXPECT_NEAR(result.replica_down_s[0], 1.45, kExact);
  EXPECT_NEAR(result.stage_work_s[0], 0.5, kExact);  // lanes: the first phase's, the second's
  EXPECT_NEAR(result.stage_work_s[1], 1, kExact);
  EXPECT_NEAR(result.stage_prompt_s[0] + result.stage_prompt_s[1], 0.2, kExact);  // read twice
  EXPECT_NEAR(result.replica_busy_s[0], 1.5, kExact);  // what the failure cut short is left out
}

TEST(Fleet, WithoutRetryItIsLost) {
  FleetPlan fleet;
  fleet.replicas = {fails_once("a")};
  fleet.retry = false;
  const EngineResult result = run_plan(fleet, at_once(2));
  EXPECT_EQ(result.requests[0].outcome, Outcome::lost);
  EXPECT_NEAR(result.requests[0].finished_s, 0.55, kExact);
  EXPECT_EQ(result.requests[1].outcome, Outcome::finished);  // it had only waited
  EXPECT_NEAR(result.requests[1].finished_s, 3, kExact);
  EXPECT_EQ(result.requests[1].retries, 0);
}

TEST(Fleet, AnotherReplicaTakesOver) {
  FleetPlan fleet;
  fleet.replicas = {fails_once("a"), always("b")};
  const EngineResult result = run_plan(fleet, at_once(1));
  EXPECT_NEAR(result.requests[0].finished_s, 1.55, kExact);
  EXPECT_EQ(result.requests[0].replica, 1);
}

TEST(Fleet, AnIdleReplicaMayFail) {
  FleetPlan fleet;
  fleet.replicas = {always("a"), fails_once("b")};
  const EngineResult result = run_plan(fleet, at_once(1));
  EXPECT_NEAR(result.requests[0].finished_s, 1, kExact);
  EXPECT_EQ(result.requests[0].retries, 0);
}

TEST(Fleet, NobodyComesBack) {
  FleetPlan fleet;
  fleet.replicas = {{"a", Role::whole, {{0, tenth_of_a_second(), 0}, {0.55, nullptr, 0.55}}}};
  EngineRequests requests = at_once(1);
  requests.requests.push_back(request_of(5, 1, 10));
  const EngineResult result = run_plan(fleet, requests);
  EXPECT_EQ(result.requests[0].outcome, Outcome::lost);
  EXPECT_NEAR(result.requests[0].finished_s, 0.55, kExact);
  EXPECT_EQ(result.requests[1].outcome, Outcome::lost);
  EXPECT_NEAR(result.requests[1].finished_s, 5, kExact);
}

// What is left of the machine serves 100 tokens; a request of 150 waits for the whole of it.
TEST(Fleet, ALongRequestWaitsForThePlanThatHoldsIt) {
  FleetPlan fleet;
  fleet.replicas = {{"a", Role::whole, {{0, tenth_of_a_second(100), 0}, {3, tenth_of_a_second(200), 4}}}};
  EngineRequests requests;
  requests.requests = {request_of(0, 140, 10), request_of(0, 1, 10), request_of(0, 300, 10)};
  const EngineResult result = run_plan(fleet, requests);
  EXPECT_NEAR(result.requests[0].finished_s, 5, kExact);
  EXPECT_NEAR(result.requests[1].finished_s, 1, kExact);
  EXPECT_EQ(result.requests[2].outcome, Outcome::rejected);
}

TEST(Fleet, InTurn) {
  FleetPlan fleet;
  fleet.replicas = {always("a"), always("b"), always("c")};
  fleet.balancing = Balancing::round_robin;
  const EngineResult result = run_plan(fleet, at_once(4));
  for (int i = 0; i < 4; ++i) EXPECT_EQ(result.requests[static_cast<std::size_t>(i)].replica, i % 3);
}

// Read in 0.1 s, on its way for 0.5 + 1 x 0.1 s, then nine tokens more.
TEST(Fleet, PromptsReadElsewhere) {
  FleetPlan fleet;
  fleet.replicas = {always("reads", Role::prefill), always("answers", Role::decode), always("answers", Role::decode)};
  fleet.handover_latency_s = 0.5;
  fleet.handover_s_per_token = 0.1;
  const EngineResult result = run_plan(fleet, at_once(2));
  EXPECT_NEAR(result.requests[0].first_token_s, 0.1, kExact);
  EXPECT_NEAR(result.requests[0].finished_s, 1.6, kExact);
  EXPECT_EQ(result.requests[0].replica, 1);
  // One sequence at once: the cache of the first stays until it has gone over, so the second is read from 0.7 s on.
  EXPECT_NEAR(result.requests[1].first_token_s, 0.8, kExact);
  EXPECT_NEAR(result.requests[1].finished_s, 0.8 + 0.6 + 0.9, kExact);
  EXPECT_NEAR(result.handover_s, 1.2, kExact);
}

// An answer of one token is complete when its prompt is read.
TEST(Fleet, OneTokenNeedsNoHandover) {
  FleetPlan fleet;
  fleet.replicas = {always("reads", Role::prefill), always("answers", Role::decode)};
  fleet.handover_latency_s = 1;
  EngineRequests requests;
  requests.requests = {request_of(0, 5, 1)};
  const EngineResult result = run_plan(fleet, requests);
  EXPECT_NEAR(result.requests[0].finished_s, 0.1, kExact);
  EXPECT_EQ(result.handover_s, 0);
}

TEST(Fleet, PhaseEventsStopBeforeTheyStart) {
  FleetPlan fleet;
  fleet.replicas = {fails_once("a"), {"b", Role::whole, {{0, tenth_of_a_second(), 0.55}}}};
  const std::vector<PhaseEvent> events = phase_events(fleet);
  ASSERT_EQ(events.size(), 4u);
  EXPECT_TRUE(events[0].starts);
  EXPECT_FALSE(events[1].starts);
  EXPECT_EQ(events[1].replica, 0);
  EXPECT_EQ(events[2].replica, 1);
  EXPECT_EQ(events[3].at_s, 2);
}

TEST(Fleet, LanesAreNamedByReplicaAndPhase) {
  FleetPlan fleet;
  fleet.replicas = {fails_once("a"), always("")};
  EXPECT_EQ(lane_names(fleet), (std::vector<std::string>{"a: stage", "a: stage (from 0.55 s)", "stage"}));
}

}  // namespace
}  // namespace oblea
