// The engine against queueing theory: pipelines and queues whose answers are known in closed form.
#include <cmath>

#include <gtest/gtest.h>
#include <boost/random/exponential_distribution.hpp>
#include <boost/random/geometric_distribution.hpp>
#include <boost/random/uniform_real_distribution.hpp>

#include "support/engine_plans.hpp"

namespace oblea {
namespace {

using test::constant_stage;
using test::plan_of;
using test::request_of;
using test::run_plan;

constexpr std::uint64_t kSeed = 20261201;

double uniform(RandomStream& random, double low, double high) {
  return boost::random::uniform_real_distribution<double>(low, high)(random);
}

// N groups of one sequence each circulate through stages S: N / sum S where the pipeline is not full, 1 / max S where
// it is. A run of K tokens a group ends between K rounds of the bottleneck and those plus one way through.
TEST(ClosedPipeline, RunsAtTheLesserOfItsTwoBounds) {
  RandomStream random = make_random_stream(kSeed, "pipeline");
  constexpr int kTokens = 40;
  for (int trial = 0; trial < 2000; ++trial) {
    const int stages = 1 + static_cast<int>(random() % 8);
    const int groups = 1 + static_cast<int>(random() % 10);
    std::vector<StagePlan> plans;
    double sum = 0;
    double longest = 0;
    for (int s = 0; s < stages; ++s) {
      const double seconds = uniform(random, 1e-4, 5e-3);
      plans.push_back(constant_stage(seconds));
      sum += seconds;
      longest = std::max(longest, seconds);
    }
    EnginePlan plan = plan_of(std::move(plans), groups);
    plan.serving.micro_batches = groups;
    EngineRequests requests;
    for (int g = 0; g < groups; ++g) requests.requests.push_back(request_of(0, 1, kTokens));
    const EngineResult result = run_plan(plan, requests);
    const double round = std::max(sum, groups * longest);
    // The last group starts its last token after K - 1 rounds and whoever is ahead of it; deterministic and FIFO.
    EXPECT_GE(result.end_s, (kTokens - 1) * round + sum - 1e-12) << "seed " << kSeed << ", trial " << trial;
    EXPECT_LE(result.end_s, kTokens * round + sum + 1e-12) << "seed " << kSeed << ", trial " << trial;
  }
}

struct Mean {
  double mean = 0;
  double error = 0;  // standard error from means of batches
};

Mean mean_wait(const EngineResult& result, std::size_t warm_up) {
  constexpr std::size_t kBatches = 40;
  const std::size_t length = (result.requests.size() - warm_up) / kBatches;
  std::vector<double> means;
  for (std::size_t b = 0; b < kBatches; ++b) {
    double sum = 0;
    for (std::size_t i = 0; i < length; ++i) {
      const RequestResult& request = result.requests[warm_up + b * length + i];
      sum += request.finished_s - request.arrival_s;
    }
    means.push_back(sum / static_cast<double>(length));
  }
  Mean mean;
  for (const double m : means) mean.mean += m / kBatches;
  double squares = 0;
  for (const double m : means) squares += (m - mean.mean) * (m - mean.mean);
  mean.error = std::sqrt(squares / (kBatches - 1) / kBatches);
  return mean;
}

// Prompts of random length at 1 us a token and an answer of one token: a server whose service times are drawn.
EngineRequests poisson(double rate, double mean_s, bool random_service, std::size_t count, const char* name) {
  RandomStream arrivals = make_random_stream(kSeed, std::string(name) + " arrivals");
  RandomStream services = make_random_stream(kSeed, std::string(name) + " services");
  boost::random::exponential_distribution<double> gap(rate);
  boost::random::exponential_distribution<double> service(1 / mean_s);
  EngineRequests requests;
  double now = 0;
  for (std::size_t i = 0; i < count; ++i) {
    now += gap(arrivals);
    const double seconds = random_service ? service(services) : mean_s;
    requests.requests.push_back(request_of(now, std::max(1, static_cast<int>(std::lround(seconds * 1e6))), 1));
  }
  return requests;
}

EnginePlan single_server() {
  StagePlan stage = constant_stage(1e-9);
  stage.prefill_s = [](double tokens, double) { return tokens * 1e-6; };
  EnginePlan plan = plan_of({stage});
  plan.serving.kind = Serving::single;
  plan.serving.pass_tokens = 1 << 30;
  return plan;
}

// M/M/1 at 70 %: time in system = service / (1 - load) = 10 ms / 0.3.
TEST(Queue, MM1) {
  const EngineResult result = run_plan(single_server(), poisson(70, 0.01, true, 200000, "mm1"));
  const Mean mean = mean_wait(result, 10000);
  EXPECT_NEAR(mean.mean, 0.01 / 0.3, 5 * mean.error) << "standard error " << mean.error;
  EXPECT_LT(mean.error, 0.001);
}

// M/D/1 at 80 %: service x (1 + load / (2 (1 - load))) = 10 ms x 3.
TEST(Queue, MD1) {
  const EngineResult result = run_plan(single_server(), poisson(80, 0.01, false, 200000, "md1"));
  const Mean mean = mean_wait(result, 10000);
  EXPECT_NEAR(mean.mean, 0.01 * (1 + 0.8 / (2 * 0.2)), 5 * mean.error) << "standard error " << mean.error;
  EXPECT_LT(mean.error, 0.001);
}

// Two servers in a row, fed by a Poisson stream at 60 %, each with a constant time: the first is M/D/1, the second
// never makes anybody wait, because departures are at least a service apart.
TEST(Queue, TandemOfEqualConstantTimesWaitsOnlyOnce) {
  StagePlan stage = constant_stage(1e-9);
  stage.prefill_s = [](double, double) { return 0.01; };
  EnginePlan plan = plan_of({stage, stage}, 64);
  plan.serving.micro_batches = 64;  // each request a pass of its own
  plan.serving.pass_tokens = 1 << 30;
  const EngineResult result = run_plan(plan, poisson(60, 0.01, false, 100000, "tandem"));
  const Mean mean = mean_wait(result, 10000);
  EXPECT_NEAR(mean.mean, 0.01 * (1 + 0.6 / (2 * 0.4)) + 0.01, 5 * mean.error) << "standard error " << mean.error;
  EXPECT_LT(mean.error, 0.001);
}

// Erlang's C: the chance to find all of `servers` busy, at `load` = arrival rate x mean service.
double erlang_c(int servers, double load) {
  double term = 1;  // load^k / k!
  double sum = 0;
  for (int k = 0; k < servers; ++k) {
    sum += term;
    term *= load / (k + 1);
  }
  const double waiting = term / (1 - load / servers);
  return waiting / (sum + waiting);
}

// M/M/4: four sequences at once, a pass of 1 ms however many decode, answers of a geometric number of tokens with a
// mean of 500: a service of 0.5 s without memory. At 5.6 requests/s the load is 2.8 of 4:
//   2.8^4 / 4! / 0.3 = 8.537; 1 + 2.8 + 3.92 + 3.659 = 11.379; C = 8.537 / 19.916 = 0.4287
//   time in system = 0.5 + 0.4287 / (4 / 0.5 - 5.6) = 0.6786 s
// Passes end every millisecond: who comes while others decode enters at the next end, half a pass later on average.
// Everybody does who finds one to three others (they who find none enter at once, they who wait enter at an end):
// less than half a millisecond.
TEST(Queue, MM4) {
  EXPECT_NEAR(erlang_c(4, 2.8), 0.4287, 1e-4);
  RandomStream arrivals = make_random_stream(kSeed, "mm4 arrivals");
  RandomStream services = make_random_stream(kSeed, "mm4 services");
  boost::random::exponential_distribution<double> gap(5.6);
  boost::random::geometric_distribution<int, double> more_tokens(1.0 / 500);
  EngineRequests requests;
  double now = 0;
  for (int i = 0; i < 200000; ++i) {
    now += gap(arrivals);
    requests.requests.push_back(request_of(now, 1, 1 + more_tokens(services)));
  }
  const EngineResult result = run_plan(plan_of({constant_stage(1e-3)}, 4), requests);
  const Mean mean = mean_wait(result, 10000);
  EXPECT_NEAR(mean.mean, 0.5 + erlang_c(4, 2.8) / (4 / 0.5 - 5.6), 5 * mean.error + 5e-4)
      << "standard error " << mean.error;
  EXPECT_LT(mean.error, 0.01);
}

// One request through an empty pipeline: prompt and each further token take the sum of all stages and hops, over links
// too, for 200 random pipelines; to 1e-9.
TEST(EmptyPipeline, OneRequestTakesTheSumOfItsTimes) {
  for (int trial = 0; trial < 200; ++trial) {
    RandomStream random = make_random_stream(kSeed + static_cast<std::uint64_t>(trial), "empty pipeline");
    const int stages = 1 + static_cast<int>(random() % 12);
    const int prompt = 1 + static_cast<int>(random() % 500);
    const int output = 1 + static_cast<int>(random() % 50);
    EnginePlan plan = plan_of({}, 1);
    plan.links.push_back({"link", 1e9, 1e-6});
    plan.serving.overhead_s = uniform(random, 0, 1e-3);
    double first_s = plan.serving.overhead_s;
    double token_s = plan.serving.overhead_s;
    for (int s = 0; s < stages; ++s) {
      const double decode_s = uniform(random, 1e-6, 5e-3);
      const double prompt_s = uniform(random, 0, 1e-5);
      plan.stages.push_back(constant_stage(decode_s, prompt_s));
      first_s += decode_s + prompt_s * prompt;
      token_s += decode_s;
      if (s == 0) continue;
      StagePlan& stage = plan.stages.back();
      stage.hop_link = random() % 2 == 0 ? 0 : -1;
      stage.hop_latency_s = uniform(random, 1e-6, 1e-4);
      stage.hop_s_per_token = 8192 / 1e9;  // whole bytes, as a link carries them
      first_s += stage.hop_latency_s + prompt * stage.hop_s_per_token;
      token_s += stage.hop_latency_s + stage.hop_s_per_token;
    }
    EngineRequests requests;
    requests.requests.push_back(request_of(0.5, prompt, output));
    for (const bool step_by_step : {false, true}) {
      const EngineResult result = run_plan(plan, requests, {step_by_step, false, {}});
      const RequestResult& request = result.requests[0];
      ASSERT_NEAR(request.first_token_s, 0.5 + first_s, 1e-9) << "seed " << kSeed << ", trial " << trial;
      ASSERT_NEAR(request.finished_s, 0.5 + first_s + (output - 1) * token_s, 1e-9)
          << "seed " << kSeed << ", trial " << trial;
    }
  }
}

// k passes on one link at once get 1/k of it: 10 MB at 100 MB/s take 0.1 s alone and k x 0.1 s together. Half the
// bandwidth doubles that; a latency is paid once.
TEST(SharedLink, KFlowsGetOneKth) {
  for (const int flows : {1, 2, 4, 7}) {
    for (const double bytes_per_s : {1e8, 5e7}) {
      EnginePlan plan = plan_of({constant_stage(1e-9), constant_stage(1e-9)}, flows);
      plan.serving.micro_batches = flows;
      plan.links.push_back({"link", bytes_per_s, 1e-3});
      plan.stages[1].hop_link = 0;
      plan.stages[1].hop_latency_s = 1e-3;
      plan.stages[1].hop_s_per_token = 1e7 / bytes_per_s;
      EngineRequests requests;
      for (int i = 0; i < flows; ++i) requests.requests.push_back(request_of(0, 1, 1));
      EXPECT_NEAR(run_plan(plan, requests).end_s, flows * 1e7 / bytes_per_s + 1e-3, 1e-7) << flows;
    }
  }
}

}  // namespace
}  // namespace oblea
