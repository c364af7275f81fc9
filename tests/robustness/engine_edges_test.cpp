// The engine at the edges of what a plan can say, by hand arithmetic; both ways of letting time pass give it.
#include <gtest/gtest.h>

#include "support/engine_plans.hpp"

namespace oblea {
namespace {

using test::constant_stage;
using test::plan_of;
using test::request_of;

EngineRequests all_at_once(int count, int prompt, int output) {
  EngineRequests requests;
  requests.requests.assign(static_cast<std::size_t>(count), request_of(0, prompt, output));
  return requests;
}

template <class Look>
void both_ways(const EnginePlan& plan, const EngineRequests& requests, const Look& look) {
  for (const bool step_by_step : {false, true}) {
    SCOPED_TRACE(step_by_step ? "step by step" : "in macro-steps");
    look(test::run_plan(plan, requests, {step_by_step, false, {}}));
  }
}

int count_rejected(const EngineResult& result) {
  int rejected = 0;
  for (const RequestResult& request : result.requests) rejected += request.outcome == Outcome::rejected;
  return rejected;
}

// Passes of 1 ms; three tokens a step behind the first: 1, 4, 7 of the 5 that were asked for: three passes. The two
// that are too many are nobody's: 5 tokens come out.
TEST(EngineEdges, SpeculationMayMakeMoreThanWasAsked) {
  EnginePlan plan = plan_of({constant_stage(1e-3)}, 1, 17);
  plan.serving.tokens_per_step = 3;
  both_ways(plan, all_at_once(1, 10, 5), [](const EngineResult& result) {
    EXPECT_NEAR(result.requests[0].finished_s, 3e-3, 1e-12);
    EXPECT_EQ(result.output_tokens, 5);
    EXPECT_LE(result.cache_tokens_peak, 17);
  });
}

// 10 + 5 tokens, and 2 that the last step may make beyond: in a cache of 16 the run could not end.
TEST(EngineEdges, SpeculationBeyondTheCacheIsRejectedNotACrash) {
  EnginePlan plan = plan_of({constant_stage(1e-3)}, 1, 16);
  plan.serving.tokens_per_step = 3;
  both_ways(plan, all_at_once(1, 10, 5), [](const EngineResult& result) { EXPECT_EQ(count_rejected(result), 1); });
}

// Two that outgrow the cache together while they make several tokens a step: each token comes once.
TEST(EngineEdges, SpeculationThroughAPreemptionKeepsEveryToken) {
  EnginePlan plan = plan_of({constant_stage(1e-3, 1e-5)}, 2, 40);
  plan.serving.tokens_per_step = 2.6;
  both_ways(plan, all_at_once(2, 10, 25), [](const EngineResult& result) {
    EXPECT_GE(result.preemptions, 1);
    EXPECT_EQ(result.output_tokens, 50);
  });
}

// An answer of one token comes with the last of its prompt: its first moment is its last.
TEST(EngineEdges, AnswersOfOneToken) {
  both_ways(plan_of({constant_stage(1e-3)}), all_at_once(3, 5, 1), [](const EngineResult& result) {
    for (int i = 0; i < 3; ++i) {
      const RequestResult& request = result.requests[static_cast<std::size_t>(i)];
      EXPECT_NEAR(request.first_token_s, (i + 1) * 1e-3, 1e-12);
      EXPECT_EQ(request.first_token_s, request.finished_s);
    }
    EXPECT_EQ(result.iterations, 3);
  });
}

TEST(EngineEdges, APromptAsLongAsTheCacheLeavesNoRoomForAnAnswer) {
  const EnginePlan plan = plan_of({constant_stage(1e-3)}, 2, 64);
  EngineRequests requests;
  requests.requests = {request_of(0, 64, 1), request_of(0, 63, 1)};
  both_ways(plan, requests, [](const EngineResult& result) {
    EXPECT_EQ(result.requests[0].outcome, Outcome::rejected);
    EXPECT_EQ(result.requests[1].outcome, Outcome::finished);
    EXPECT_NEAR(result.end_s, 1e-3, 1e-12);
  });
}

// Three groups of 3, 2 and 2 sequences, a stage of 1 ms: the groups begin at 0, 1 and 2 ms, and with them all seven.
TEST(EngineEdges, SequencesThatDoNotDivideIntoGroupsAreAllServedAtOnce) {
  EnginePlan plan = plan_of({constant_stage(1e-3)}, 7, 7000);
  plan.serving.micro_batches = 3;
  both_ways(plan, all_at_once(7, 5, 20), [](const EngineResult& result) {
    for (const RequestResult& request : result.requests) EXPECT_LE(request.admitted_s, 2e-3 + 1e-12);
  });
}

// Three slots of 300 / 3 = 100 tokens in two groups: 101 tokens are one too many for a slot, however few the groups.
TEST(EngineEdges, GroupsDoNotMakeASlotLarger) {
  EnginePlan plan = plan_of({constant_stage(1e-3)}, 3, 300);
  plan.serving.kind = Serving::slots;
  plan.serving.micro_batches = 2;
  EngineRequests requests;
  requests.requests = {request_of(0, 50, 50), request_of(0, 50, 51), request_of(0, 99, 1), request_of(0, 1, 99)};
  both_ways(plan, requests, [](const EngineResult& result) {
    EXPECT_EQ(result.requests[1].outcome, Outcome::rejected);
    EXPECT_EQ(count_rejected(result), 1);
    EXPECT_LE(result.cache_tokens_peak, 300);
  });
}

// 10 + 12 tokens are 22 in blocks of one when the last is made, however many passes are taken at once.
TEST(EngineEdges, TheCachesPeakIsThatOfTheLastToken) {
  both_ways(plan_of({constant_stage(1e-3)}), all_at_once(1, 10, 12),
            [](const EngineResult& result) { EXPECT_EQ(result.cache_tokens_peak, 22); });
}

// Nobody is served: the run says so and ends, in a closed loop without thought too.
TEST(EngineEdges, ALoopOfRejectedRequestsEnds) {
  EngineRequests requests = all_at_once(1000, 65, 1);
  requests.closed_users = 3;
  both_ways(plan_of({constant_stage(1e-3)}, 2, 64), requests, [](const EngineResult& result) {
    EXPECT_EQ(count_rejected(result), 1000);
    EXPECT_EQ(result.end_s, 0);
  });
}

// A hundred passes of 1 ms from 1e8 s on, where a double counts in 1.5e-8 s: 0.1 s to 100 such steps.
TEST(EngineEdges, AYearsLateRequestTakesNoLonger) {
  EngineRequests requests;
  requests.requests = {request_of(1e8, 1, 100)};
  both_ways(plan_of({constant_stage(1e-3)}), requests, [](const EngineResult& result) {
    const RequestResult& request = result.requests[0];
    EXPECT_NEAR(request.finished_s - request.arrival_s, 0.1, 100 * 1.5e-8);
  });
}

// Blocks of 8 prompt tokens fill a pass of 2,048 by 256 at a time: a million take ceil(1e6 / 256) = 3,907 passes.
TEST(EngineEdges, AMillionRequestsAtOneInstant) {
  const EnginePlan plan = plan_of({constant_stage(1e-3)}, 256);
  const EngineResult result = test::run_plan(plan, all_at_once(1'000'000, 8, 1));
  EXPECT_NEAR(result.end_s, 3.907, 1e-9);
  EXPECT_EQ(result.iterations, 3907);
  EXPECT_EQ(result.prompt_tokens, 8'000'000);
}

// One answer of a million tokens, contexts 2 .. 1,000,000 at 1 ns each: 1,000 s + 1e-9 x (1e6 x (1e6 + 1) / 2 - 1).
TEST(EngineEdges, AnAnswerOfAMillionTokens) {
  EnginePlan plan = plan_of({constant_stage(1e-3)});
  plan.stages[0].attended = {{1e-9, 0}};
  const EngineResult result = test::run_plan(plan, all_at_once(1, 1, 1'000'000));
  EXPECT_NEAR(result.end_s, 1000 + 1e-9 * (1e6 * (1e6 + 1) / 2 - 1), 1e-6);
  EXPECT_LE(result.steps, 2);
}

}  // namespace
}  // namespace oblea
