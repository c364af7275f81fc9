#include "engine/check_plan.hpp"

#include <cmath>
#include <limits>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/engine_plans.hpp"

namespace oblea {
namespace {

using ::testing::HasSubstr;

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr double kInfinity = std::numeric_limits<double>::infinity();

struct Question {
  EnginePlan plan = test::plan_of({test::constant_stage(1e-3), test::constant_stage(1e-3)}, 4, 1000);
  EngineRequests requests;
  Question() {
    plan.links.push_back({"wire", 1e9, 1e-6});
    plan.stages[1].hop_link = 0;
    requests.requests = {test::request_of(0, 10, 5)};
  }
};

struct Fault {
  const char* words;  // of the message
  void (*spoil)(Question&);
};

// Each is one thing wrong with a run that is right otherwise.
const Fault kFaults[] = {
    {"without stages", [](Question& run) { run.plan.stages.clear(); }},
    {"stage has no times", [](Question& run) { run.plan.stages[1].decode_s = nullptr; }},
    {"stage has no times", [](Question& run) { run.plan.stages[0].prefill_s = nullptr; }},
    {"decoding with one sequence takes nan s", [](Question& run) { run.plan.stages[0] = test::constant_stage(kNan); }},
    {"takes inf s", [](Question& run) { run.plan.stages[0] = test::constant_stage(kInfinity); }},
    {"takes -1 s", [](Question& run) { run.plan.stages[0] = test::constant_stage(-1); }},
    {"takes no time", [](Question& run) { run.plan.stages = {test::constant_stage(0)}; }},
    {"a hop's latency takes nan", [](Question& run) { run.plan.stages[1].hop_latency_s = kNan; }},
    {"a hop's token takes -1", [](Question& run) { run.plan.stages[1].hop_s_per_token = -1; }},
    {"does not have (1)", [](Question& run) { run.plan.stages[1].hop_link = 1; }},
    {"does not have (-2)", [](Question& run) { run.plan.stages[1].hop_link = -2; }},
    {"token of the cache takes nan",
     [](Question& run) {
       run.plan.stages[0].attended = {{kNan, 0}};
     }},
    {"a window",
     [](Question& run) {
       run.plan.stages[0].attended = {{1e-9, -1}};
     }},
    {"bytes/s (0)", [](Question& run) { run.plan.links[0].bytes_per_s = 0; }},
    {"bytes/s (nan)", [](Question& run) { run.plan.links[0].bytes_per_s = kNan; }},
    {"bytes/s (inf)", [](Question& run) { run.plan.links[0].bytes_per_s = kInfinity; }},
    {"wire: its latency takes -1", [](Question& run) { run.plan.links[0].latency_s = -1; }},
    {"1 sequence at once (0)", [](Question& run) { run.plan.serving.sequences_max = 0; }},
    {"1 group of sequences (0)", [](Question& run) { run.plan.serving.micro_batches = 0; }},
    {"at least 1 token (0)", [](Question& run) { run.plan.serving.block_tokens = 0; }},
    {"every sequence of its group (0)", [](Question& run) { run.plan.serving.pass_tokens = 0; }},
    {"every sequence of its group (3)", [](Question& run) { run.plan.serving.pass_tokens = 3; }},
    {"the longest context", [](Question& run) { run.plan.serving.context_max = -1; }},
    {"no room for one block (nan)", [](Question& run) { run.plan.serving.cache_tokens = kNan; }},
    {"no room for one block (inf)", [](Question& run) { run.plan.serving.cache_tokens = kInfinity; }},
    {"no room for one block (15)",
     [](Question& run) {
       run.plan.serving.cache_tokens = 15;
       run.plan.serving.block_tokens = 16;
     }},
    {"overhead takes nan", [](Question& run) { run.plan.serving.overhead_s = kNan; }},
    {"tokens a sequence (0.5)", [](Question& run) { run.plan.serving.tokens_per_step = 0.5; }},
    {"tokens a sequence (nan)", [](Question& run) { run.plan.serving.tokens_per_step = kNan; }},
    {"tokens a sequence (1000000)", [](Question& run) { run.plan.serving.tokens_per_step = 1e6; }},
    {"loading takes nan", [](Question& run) { run.plan.start_s = kNan; }},
    {"loading takes -1", [](Question& run) { run.plan.start_s = -1; }},
    {"nothing to play", [](Question& run) { run.requests.requests.clear(); }},
    {"a number of users (-1)", [](Question& run) { run.requests.closed_users = -1; }},
    {"thinking takes inf", [](Question& run) { run.requests.think_s = kInfinity; }},
    {"request 1 has 0 prompt", [](Question& run) { run.requests.requests[0].prompt_tokens = 0; }},
    {"-3 answer", [](Question& run) { run.requests.requests[0].output_tokens = -3; }},
    {"are counted at most",
     [](Question& run) { run.requests.requests[0] = test::request_of(0, 2'000'000'000, 2'000'000'000); }},
    {"request 1 arrives at nan", [](Question& run) { run.requests.requests[0].arrival_s = kNan; }},
    {"request 1 arrives at -1", [](Question& run) { run.requests.requests[0].arrival_s = -1; }},
    {"too short for a clock", [](Question& run) { run.requests.requests[0].arrival_s = 1e300; }},
    {"shares 11 of its 10",
     [](Question& run) {
       run.requests.requests[0].prefix = 1;
       run.requests.requests[0].prefix_tokens = 11;
     }},
    {"shares -1 of its 10",
     [](Question& run) {
       run.requests.requests[0].prefix = 1;
       run.requests.requests[0].prefix_tokens = -1;
     }},
};

TEST(CheckPlan, ARunThatIsRightHasNoFault) {
  EXPECT_TRUE(check_run(fleet_of(Question{}.plan), Question{}.requests).empty());
}

TEST(CheckPlan, EachFaultIsNamedAndNothingStarts) {
  for (const Fault& fault : kFaults) {
    Question run;
    fault.spoil(run);
    const Diagnostics faults = check_run(fleet_of(run.plan), run.requests);
    ASSERT_FALSE(faults.empty()) << fault.words;
    EXPECT_THAT(print_diagnostics(faults), HasSubstr(fault.words));
    EXPECT_FALSE(run_engine(run.plan, run.requests, {})) << fault.words;
  }
}

TEST(CheckPlan, AllFaultsAreToldAtOnce) {
  Question run;
  run.plan.serving.block_tokens = 0;
  run.plan.links[0].bytes_per_s = -1;
  run.requests.requests[0].output_tokens = 0;
  EXPECT_EQ(check_run(fleet_of(run.plan), run.requests).size(), 3u);
}

TEST(CheckPlan, AMillionFaultsAreNotPrinted) {
  Question run;
  run.requests.requests.assign(1'000'000, test::request_of(0, 0, 0));
  EXPECT_LE(check_run(fleet_of(run.plan), run.requests).size(), 20u);
}

// A closed loop sends its requests itself: what they say of arrivals is not read.
TEST(CheckPlan, ArrivalsOfAClosedLoopAreNotUsed) {
  Question run;
  run.requests.closed_users = 1;
  run.requests.requests[0].arrival_s = kNan;
  EXPECT_TRUE(check_run(fleet_of(run.plan), run.requests).empty());
}

// At 1e9 s a double counts in 1.2e-7 s: a pass of 1 us would be wrong by a tenth, one of 1 ms by a ten-thousandth.
TEST(CheckPlan, APassMustBeLongerThanTheClocksLastDigit) {
  const auto faults = [](double pass_s, double at_s) {
    const EnginePlan plan = test::plan_of({test::constant_stage(pass_s)});
    EngineRequests requests;
    requests.requests = {test::request_of(at_s, 1, 1)};
    return check_run(fleet_of(plan), requests).size();
  };
  EXPECT_EQ(faults(1e-6, 1e9), 1u);
  EXPECT_EQ(faults(1e-3, 1e9), 0u);
  EXPECT_EQ(faults(1e-6, 1e4), 0u);
}

// vLLM refuses to start as well where max_num_batched_tokens is less than max_num_seqs. Seven in three groups: 3, 2, 2.
TEST(CheckPlan, APassHasRoomForItsGroup) {
  Question run;
  run.plan.serving.sequences_max = 7;
  run.plan.serving.micro_batches = 3;
  run.plan.serving.pass_tokens = 3;
  EXPECT_TRUE(check_run(fleet_of(run.plan), run.requests).empty());
  run.plan.serving.pass_tokens = 2;
  EXPECT_EQ(check_run(fleet_of(run.plan), run.requests).size(), 1u);
}

}  // namespace
}  // namespace oblea
