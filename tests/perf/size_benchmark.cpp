// What a user waits for: loading the library, one placement, one prediction, and the search of `size`, all on one core.
#include <benchmark/benchmark.h>

#include "io/read_profiles.hpp"
#include "io/scenario_file.hpp"
#include "io/timing_parameters_file.hpp"
#include "placement/layer_split.hpp"
#include "study/build_machine.hpp"
#include "study/machine_links.hpp"
#include "study/planning.hpp"
#include "study/size_search.hpp"

namespace oblea {
namespace {

const std::string kRoot = OBLEA_SOURCE_DIRECTORY;

template <class T>
T need(Result<T> result) {
  if (result) return std::move(*result);
  std::fputs(print_diagnostics(result.error()).c_str(), stderr);
  std::exit(2);
}

const ProfileLibrary& library() {
  static const ProfileLibrary loaded = need(read_profile_library(kRoot + "/hardware-profiles"));
  return loaded;
}

const TimingParameters& timing() {
  static const TimingParameters loaded =
      need(read_timing_parameters(kRoot + "/hardware-profiles/timing/llama-cpp.json"));
  return loaded;
}

Scenario scenario(const std::vector<ScenarioSetting>& settings) {
  Diagnostics warnings;
  return need(read_scenario("", settings, library(), kRoot + "/scenarios/models", warnings));
}

// Llama 3.3 70B for two users on four RTX 3090.
struct FourCards {
  Scenario asked = scenario({{"model.id", "llama-3.3-70b", ""},
                             {"workload.users", "2", ""},
                             {"cluster", R"({"nodes": [{"host": "epyc-7302-romed8-2t-open-frame",
                                             "devices": ["rtx-3090", "rtx-3090", "rtx-3090", "rtx-3090"]}]})",
                              ""}});
  Machine machine = need(build_machine(asked, library()));
  ModelFootprint model = make_footprint(asked.model, *find_mixture(asked.mixture));
  EngineLoad load = engine_load(asked.engine, model, asked.cache(), asked.workload, layout_of(machine));
  PlanningDevices planning = planning_devices(machine, load, asked.workload.context, library(), false);
  CacheDemand demand = cache_demand(asked.workload, load);
};

// Every profile read, parsed and checked, as each run of the program does; the files themselves are in the page cache.
void LoadLibrary(benchmark::State& state) {
  for (auto _ : state) benchmark::DoNotOptimize(read_profile_library(kRoot + "/hardware-profiles"));
}
BENCHMARK(LoadLibrary)->Unit(benchmark::kMillisecond);

void ReadScenario(benchmark::State& state) {
  for (auto _ : state) benchmark::DoNotOptimize(scenario({{"model.id", "llama-3.3-70b", ""}}));
}
BENCHMARK(ReadScenario)->Unit(benchmark::kMillisecond);

void PlaceFourCards(benchmark::State& state) {
  const FourCards cards;
  for (auto _ : state) benchmark::DoNotOptimize(plan_layer_split(cards.model, cards.demand, cards.planning.cards()));
}
BENCHMARK(PlaceFourCards)->Unit(benchmark::kMicrosecond);

// Decode step and first token of a pipeline of four stages.
void PredictSpeedOfFourCards(benchmark::State& state) {
  const FourCards cards;
  const PlacementAnswer answer = plan_layer_split(cards.model, cards.demand, cards.planning.cards());
  SpeedQuestion question;
  question.model = &cards.model;
  question.placement = placement_of(answer);
  question.devices = cards.planning.devices;
  question.nodes = cards.planning.nodes;
  question.links = need(make_machine_links(cards.machine, library()));
  question.engine = cards.asked.engine.kind;
  question.workload = cards.asked.workload;
  for (auto _ : state) benchmark::DoNotOptimize(predict_speed(question, timing()));
}
BENCHMARK(PredictSpeedOfFourCards)->Unit(benchmark::kMicrosecond);

// The question of the README. `builds_per_s` counts complete builds whose price, speed and watts were computed.
void SizeSearch(benchmark::State& state) {
  const Scenario asked =
      scenario({{"model.id", "llama-3.3-70b", ""}, {"workload.users", "2", ""}, {"size.budget", "3500 EUR", ""}});
  const SizeParts parts = collect_parts(asked, library());
  double evaluated = 0;
  for (auto _ : state) evaluated += static_cast<double>(search_builds(asked, library(), parts, timing()).evaluated);
  state.counters["builds"] = benchmark::Counter(evaluated, benchmark::Counter::kAvgIterations);
  state.counters["builds_per_s"] = benchmark::Counter(evaluated, benchmark::Counter::kIsRate);
}
BENCHMARK(SizeSearch)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace oblea
