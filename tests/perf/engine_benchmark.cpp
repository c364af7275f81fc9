// How long the engine itself takes: growth with requests, and with tokens a request.
#include <benchmark/benchmark.h>

#include "support/engine_plans.hpp"

namespace oblea {
namespace {

// Four cards with a 70B: 20 layers each, about 10 ms a pass and stage, caches at 25 ns a token.
EnginePlan four_cards() {
  std::vector<StagePlan> stages;
  for (int s = 0; s < 4; ++s) {
    StagePlan stage;
    stage.name = "card";
    stage.decode_s = [](int sequences) { return 10e-3 + 1e-4 * sequences; };
    stage.prefill_s = [](double tokens, double depth) { return 10e-3 + tokens * (2e-4 + depth * 1e-9); };
    stage.attended = {{25e-9, 0}};
    stages.push_back(stage);
  }
  EnginePlan plan = test::plan_of(std::move(stages), 64, 400000);
  plan.serving.block_tokens = 16;
  plan.serving.pass_tokens = 2048;
  return plan;
}

// 32 users, each with the next request as soon as the last is answered; 512 in and `output` out in the mean.
EngineRequests load(int count, int output) {
  RandomStream random = make_random_stream(1, "benchmark");
  EngineRequests requests;
  requests.closed_users = 32;
  for (int i = 0; i < count; ++i) {
    const int answer = output / 2 + static_cast<int>(random() % static_cast<unsigned>(output));
    requests.requests.push_back(test::request_of(0, 256 + static_cast<int>(random() % 512), answer));
  }
  return requests;
}

void requests_played(benchmark::State& state) {
  const EnginePlan plan = four_cards();
  const EngineRequests requests = load(static_cast<int>(state.range(0)), static_cast<int>(state.range(1)));
  std::int64_t steps = 0;
  for (auto _ : state) steps = test::run_plan(plan, requests).steps;
  state.counters["requests/s"] =
      benchmark::Counter(static_cast<double>(state.range(0)), benchmark::Counter::kIsIterationInvariantRate);
  state.counters["steps/request"] = static_cast<double>(steps) / static_cast<double>(state.range(0));
}
BENCHMARK(requests_played)
    ->Args({300, 256})
    ->Args({3000, 256})
    ->Args({3000, 2560})
    ->Args({100000, 256})
    ->Unit(benchmark::kMillisecond);

// A chain of 70 wafers, each 15 us a pass and 2.3 us from the one before; 400 users in 70 groups.
void requests_through_a_chain(benchmark::State& state) {
  std::vector<StagePlan> stages;
  for (int s = 0; s < 70; ++s) {
    StagePlan stage = test::constant_stage(15e-6, 0.4e-6);
    stage.hop_latency_s = s > 0 ? 2.3e-6 : 0;
    stages.push_back(stage);
  }
  EnginePlan plan = test::plan_of(std::move(stages), 400, 24e6);
  plan.serving.micro_batches = 70;
  EngineRequests requests;
  requests.closed_users = 400;
  const auto tokens = static_cast<int>(state.range(1));
  for (int i = 0; i < state.range(0); ++i) requests.requests.push_back(test::request_of(0, 100, tokens));
  for (auto _ : state) benchmark::DoNotOptimize(test::run_plan(plan, requests).end_s);
}
BENCHMARK(requests_through_a_chain)->Args({1000, 1000})->Unit(benchmark::kMillisecond)->Iterations(1);

}  // namespace
}  // namespace oblea
