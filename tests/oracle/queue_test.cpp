// The engine against queueing theory: pipelines and queues whose answers are known in closed form.
#include <cmath>

#include <gtest/gtest.h>
#include <boost/random/exponential_distribution.hpp>
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
