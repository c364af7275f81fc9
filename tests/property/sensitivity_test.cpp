// What must change when a plan changes, and by how much: the ways in which simulators were found not to feel what they
// model. Only what is a theorem of the rules in src/engine/README.md is asked of random plans.
#include <gtest/gtest.h>
#include <boost/random/uniform_real_distribution.hpp>

#include "support/engine_plans.hpp"

namespace oblea {
namespace {

constexpr std::uint64_t kSeed = 20261203;
constexpr int kTrials = 100;

class Draw {
 public:
  explicit Draw(int trial) : stream_(make_random_stream(kSeed + static_cast<std::uint64_t>(trial), "sensitivity")) {}
  double real(double low, double high) { return boost::random::uniform_real_distribution<double>(low, high)(stream_); }
  int whole(int low, int high) { return low + static_cast<int>(stream_() % static_cast<unsigned>(high - low + 1)); }

 private:
  RandomStream stream_;
};

struct Rates {
  double fixed_s, sequence_s, token_s, deep_s, cache_s;
};

StagePlan stage_of(const Rates& r) {
  StagePlan stage;
  stage.name = "stage";
  stage.decode_s = [r](int sequences) { return r.fixed_s + r.sequence_s * sequences; };
  stage.prefill_s = [r](double tokens, double depth) {
    return r.fixed_s + r.token_s * tokens + r.deep_s * tokens * depth;
  };
  stage.attended = {{r.cache_s, 0}};
  return stage;
}

Rates draw_rates(Draw& draw) {
  return {draw.real(1e-3, 5e-3), draw.real(0, 1e-4), draw.real(1e-6, 1e-5), draw.real(0, 1e-9), draw.real(1e-8, 1e-6)};
}

struct Batch {
  std::vector<Rates> rates;
  EnginePlan plan;
  EngineRequests requests;
};

// A closed batch: all requests at 0, one group. Who is served when then depends on tokens only, never on the clock.
Batch draw_batch(int trial, int stages_max = 4) {
  Draw draw(trial);
  Batch batch;
  const int stages = draw.whole(std::min(2, stages_max), stages_max);
  for (int s = 0; s < stages; ++s) {
    batch.rates.push_back(draw_rates(draw));
    batch.plan.stages.push_back(stage_of(batch.rates.back()));
    batch.plan.stages.back().hop_latency_s = draw.real(1e-5, 1e-3);
    batch.plan.stages.back().hop_s_per_token = draw.real(1e-6, 1e-4);
  }
  ServingPlan& serving = batch.plan.serving;
  serving.sequences_max = draw.whole(1, 8);
  serving.pass_tokens = draw.whole(9, 200);
  serving.block_tokens = draw.whole(1, 16);
  serving.cache_tokens = draw.whole(200, 800);
  serving.overhead_s = draw.real(0, 1e-3);
  for (int i = draw.whole(1, 20); i > 0; --i) {
    batch.requests.requests.push_back(test::request_of(0, draw.whole(1, 90), draw.whole(1, 60)));
  }
  return batch;
}

double network_s(const EngineResult& result) {
  double sum = 0;
  for (const double seconds : result.stage_network_s) sum += seconds;
  return sum;
}

// One group passes its stages one after another: what a run takes is what its stages, hops and overheads take.
TEST(Sensitivity, HalfTheBandwidthOfHopsTakesExactlyThatMuchLonger) {
  for (int trial = 0; trial < kTrials; ++trial) {
    SCOPED_TRACE(testing::Message() << "seed " << kSeed << ", trial " << trial);
    const Batch batch = draw_batch(trial);
    EnginePlan slower = batch.plan;
    EnginePlan later = batch.plan;
    for (StagePlan& stage : slower.stages) stage.hop_s_per_token *= 2;
    for (StagePlan& stage : later.stages) stage.hop_latency_s *= 2;
    const EngineResult before = test::run_plan(batch.plan, batch.requests);
    for (const EnginePlan& changed : {slower, later}) {
      const EngineResult after = test::run_plan(changed, batch.requests);
      EXPECT_GT(after.end_s, before.end_s);
      EXPECT_EQ(after.iterations, before.iterations);
      EXPECT_NEAR(after.end_s - before.end_s, network_s(after) - network_s(before), 1e-9 * after.end_s);
    }
    // Latency and bytes are all that a hop is made of.
    const double bytes = network_s(test::run_plan(slower, batch.requests)) - network_s(before);
    const double latency = network_s(test::run_plan(later, batch.requests)) - network_s(before);
    EXPECT_NEAR(bytes + latency, network_s(before), 1e-9 * network_s(before));
  }
}

// The same over a link that several groups share: what they wait for each other is not exact any more, but a run that
// does little else takes nearly twice as long.
TEST(Sensitivity, AFullLinkIsFelt) {
  for (const bool step_by_step : {false, true}) {
    const auto end_s = [&](double bytes_per_s, double latency_s) {
      EnginePlan plan = test::plan_of({test::constant_stage(1e-6), test::constant_stage(1e-6)}, 4);
      plan.serving.micro_batches = 4;
      plan.links.push_back({"link", bytes_per_s, latency_s});
      plan.stages[1].hop_link = 0;
      plan.stages[1].hop_latency_s = latency_s;
      plan.stages[1].hop_s_per_token = 1e6 / bytes_per_s;
      EngineRequests requests;
      requests.requests.assign(8, test::request_of(0, 10, 20));
      return test::run_plan(plan, requests, {step_by_step, false, {}}).end_s;
    };
    EXPECT_NEAR(end_s(5e8, 1e-6) / end_s(1e9, 1e-6), 2, 0.01);
    EXPECT_NEAR(end_s(1e15, 2e-2) / end_s(1e15, 1e-2), 2, 0.01);
  }
}

// Faster work of any stage, whatever kind, never lengthens a closed batch.
TEST(Sensitivity, FasterStagesNeverLengthenABatch) {
  for (int trial = 0; trial < kTrials; ++trial) {
    SCOPED_TRACE(testing::Message() << "seed " << kSeed << ", trial " << trial);
    const Batch batch = draw_batch(trial);
    const double before = test::run_plan(batch.plan, batch.requests).end_s;
    for (double Rates::*part :
         {&Rates::fixed_s, &Rates::sequence_s, &Rates::token_s, &Rates::deep_s, &Rates::cache_s}) {
      EnginePlan faster = batch.plan;
      Rates rates = batch.rates[0];
      rates.*part *= 0.7;
      const StagePlan old = faster.stages[0];
      faster.stages[0] = stage_of(rates);
      faster.stages[0].hop_latency_s = old.hop_latency_s;
      faster.stages[0].hop_s_per_token = old.hop_s_per_token;
      EXPECT_LE(test::run_plan(faster, batch.requests).end_s, before * (1 + 1e-12));
    }
  }
}

// One at a time (Lindley's recursion): with shorter services nobody at all is served later.
TEST(Sensitivity, OneAtATimeNobodyIsLaterWithFasterStages) {
  for (int trial = 0; trial < kTrials; ++trial) {
    SCOPED_TRACE(testing::Message() << "seed " << kSeed << ", trial " << trial);
    Batch batch = draw_batch(trial);
    batch.plan.serving.kind = Serving::single;
    Draw draw(trial + kTrials);
    for (Request& request : batch.requests.requests) request.arrival_s = draw.real(0, 2);
    EnginePlan faster = batch.plan;
    Rates rates = batch.rates[0];
    rates.fixed_s *= 0.5;
    faster.stages[0] = stage_of(rates);
    const EngineResult before = test::run_plan(batch.plan, batch.requests);
    const EngineResult after = test::run_plan(faster, batch.requests);
    for (std::size_t i = 0; i < before.requests.size(); ++i) {
      EXPECT_LE(after.requests[i].first_token_s, before.requests[i].first_token_s + 1e-12);
      EXPECT_LE(after.requests[i].finished_s, before.requests[i].finished_s + 1e-12);
    }
  }
}

// Alone, a longer prompt or a longer answer takes longer, always.
TEST(Sensitivity, ALongerContextTakesLonger) {
  for (int trial = 0; trial < kTrials; ++trial) {
    SCOPED_TRACE(testing::Message() << "seed " << kSeed << ", trial " << trial);
    const Batch batch = draw_batch(trial);
    const auto end_s = [&](int prompt, int output) {
      EngineRequests one;
      one.requests = {test::request_of(0, prompt, output)};
      return test::run_plan(batch.plan, one).end_s;
    };
    EXPECT_LT(end_s(80, 40), end_s(81, 40));
    EXPECT_LT(end_s(80, 40), end_s(80, 41));
    EXPECT_LT(end_s(40, 40), end_s(80, 40));
  }
}

// A cache that holds all of them puts nobody back and reads every prompt once; a small one may, and reads more.
TEST(Sensitivity, RoomForAllPutsNobodyBack) {
  std::int64_t preemptions = 0;
  for (int trial = 0; trial < kTrials; ++trial) {
    SCOPED_TRACE(testing::Message() << "seed " << kSeed << ", trial " << trial);
    const Batch batch = draw_batch(trial);
    EnginePlan roomy = batch.plan;
    roomy.serving.cache_tokens = 1e6;
    std::int64_t prompts = 0;
    for (const Request& request : batch.requests.requests) prompts += request.prompt_tokens;
    const EngineResult tight = test::run_plan(batch.plan, batch.requests);
    const EngineResult free = test::run_plan(roomy, batch.requests);
    EXPECT_EQ(free.preemptions, 0);
    EXPECT_EQ(free.prompt_tokens, prompts);
    EXPECT_GE(tight.prompt_tokens, prompts);
    if (tight.preemptions == 0) {
      EXPECT_EQ(tight.prompt_tokens, prompts);
    }
    EXPECT_LE(tight.cache_tokens_peak, batch.plan.serving.cache_tokens);
    preemptions += tight.preemptions;
  }
  EXPECT_GT(preemptions, 0);
}

EnginePlan twice_as_slow(EnginePlan plan) {
  for (StagePlan& stage : plan.stages) {
    stage.decode_s = [f = stage.decode_s](int sequences) { return 2 * f(sequences); };
    stage.prefill_s = [f = stage.prefill_s](double tokens, double depth) { return 2 * f(tokens, depth); };
    for (AttendedCost& cost : stage.attended) cost.seconds_per_token *= 2;
    stage.hop_latency_s *= 2;
    stage.hop_s_per_token *= 2;
  }
  plan.serving.overhead_s *= 2;
  plan.start_s *= 2;
  return plan;
}

// Nothing but the plan sets the pace: all of its times and all arrivals twice as long make every stamp twice as late,
// with any number of groups.
TEST(Sensitivity, TwiceTheTimesAreTwiceTheStamps) {
  for (int trial = 0; trial < kTrials; ++trial) {
    SCOPED_TRACE(testing::Message() << "seed " << kSeed << ", trial " << trial);
    Batch batch = draw_batch(trial);
    Draw draw(trial + 2 * kTrials);
    batch.plan.serving.micro_batches = draw.whole(1, 4);
    batch.plan.start_s = draw.real(0, 0.1);
    for (Request& request : batch.requests.requests) request.arrival_s = draw.real(0, 2);
    EngineRequests late = batch.requests;
    for (Request& request : late.requests) request.arrival_s *= 2;
    const EngineResult before = test::run_plan(batch.plan, batch.requests);
    const EngineResult after = test::run_plan(twice_as_slow(batch.plan), late);
    EXPECT_EQ(after.iterations, before.iterations);
    for (std::size_t i = 0; i < before.requests.size(); ++i) {
      EXPECT_NEAR(after.requests[i].admitted_s, 2 * before.requests[i].admitted_s, 1e-9);
      EXPECT_NEAR(after.requests[i].first_token_s, 2 * before.requests[i].first_token_s, 1e-9);
      EXPECT_NEAR(after.requests[i].finished_s, 2 * before.requests[i].finished_s, 1e-9);
    }
  }
}

}  // namespace
}  // namespace oblea
