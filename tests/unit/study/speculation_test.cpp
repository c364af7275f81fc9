#include "study/speculation.hpp"

#include <gtest/gtest.h>

#include "engine/run_engine.hpp"
#include "study/planned_part.hpp"
#include "support/repository.hpp"

namespace oblea {
namespace {

const std::string kOffice = "scenarios/homelab/serve-four-users.json";

Scenario with_draft(std::vector<ScenarioSetting> settings) {
  settings.insert(settings.begin(), {{"model.id", "qwen2.5-32b", "test"}, {"model.quantisation", "Q4_K_M", "test"}});
  return test::repository_scenario(kOffice, settings);
}

PlannedPart plan(const Scenario& scenario) {
  return plan_part(scenario, test::repository_library(), test::repository_timing(), {}).value();
}

double seconds_of_one_answer(const Scenario& scenario) {
  EngineRequests requests;
  requests.requests = {{0, 100, 401, -1, 0}};
  const EngineResult result = run_engine(*plan(scenario).plan, requests, {}).value();
  return result.requests[0].finished_s - result.requests[0].first_token_s;
}

TEST(Speculation, AcceptedLengthIsAGeometricSum) {
  EXPECT_NEAR(accepted_length(4, 0.7), 1 + 0.7 + 0.49 + 0.343 + 0.2401, 1e-12);
  EXPECT_NEAR(accepted_length(3, 0), 1, 1e-12);
  EXPECT_NEAR(accepted_length(3, 1), 4, 1e-12);
}

TEST(Speculation, AStepGuessesThenChecks) {
  const PlannedPart part = plan(with_draft({{"draft.id", "qwen2.5-7b", "test"}, {"draft.acceptance", "0.7", "test"}}));
  ASSERT_NE(part.plan, nullptr);
  EXPECT_EQ(part.plan->serving.positions_per_step, 5);
  EXPECT_NEAR(part.plan->serving.tokens_per_step, 2.7731, 1e-4);
  // Four steps of a 7B of 4.7 GB at under 936 GB/s: 20 ms at least.
  EXPECT_GT(part.plan->stages.front().draft_s(1), 4 * 4.7 / 936);
}

// 400 tokens: without a draft 400 steps; with one that is always right 80 of them, which may not take five times as
// long; with one that is never right 400 longer ones.
TEST(Speculation, WhatItBringsDependsOnWhetherItIsRight) {
  const double alone = seconds_of_one_answer(with_draft({}));
  const auto with = [](const char* acceptance) {
    return seconds_of_one_answer(
        with_draft({{"draft.id", "qwen3-0.6b", "test"}, {"draft.acceptance", acceptance, "test"}}));
  };
  EXPECT_GT(with("0"), alone);
  EXPECT_LT(with("0.8"), 0.8 * alone);
  EXPECT_LT(with("1"), with("0.8"));
  EXPECT_GT(with("1"), alone / 5);
}

TEST(Speculation, AnUnknownChanceWidensTheBand) {
  const PlannedPart known = plan(with_draft({{"draft.id", "qwen3-0.6b", "test"}, {"draft.acceptance", "0.7", "test"}}));
  const PlannedPart unknown = plan(with_draft({{"draft.id", "qwen3-0.6b", "test"}}));
  EXPECT_LT(unknown.low.decode, known.low.decode);
  EXPECT_GT(unknown.high.decode, known.high.decode);
  EXPECT_EQ(unknown.origin, Origin::estimate);
}

}  // namespace
}  // namespace oblea
