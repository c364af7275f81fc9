#include "study/placed_cluster.hpp"

#include <fmt/core.h>

#include "base/check.hpp"
#include "study/build_machine.hpp"
#include "study/companions.hpp"
#include "study/refusal_words.hpp"
#include "study/report_rows.hpp"
#include "units/print.hpp"

namespace oblea {
namespace {

bool is_whole_group(const Placement& placement) {
  return placement.kind == SplitKind::one_device || placement.kind == SplitKind::tensor_parallel;
}

// llama.cpp splits by layers; tensor parallel is vLLM's, and all that distributed-llama does. Off-load is the user's
// explicit wish or the last resort.
bool is_candidate(const PlannedSplit& split, const Scenario& scenario) {
  const Placement* placement = placement_of(split.answer);
  if (placement == nullptr) return false;
  if (scenario.engine.kind == Engine::distributed_llama) return is_whole_group(*placement);
  if (scenario.split != SplitWish::automatic) return true;
  const bool tensor = placement->kind == SplitKind::tensor_parallel || placement->kind == SplitKind::tensor_and_layers;
  return !split.uses_host && (!tensor || scenario.engine.kind == Engine::vllm);
}

// The fastest step; of equals the first.
void choose(PlacedCluster& placed, const Scenario& scenario, const TimingParameters& timing) {
  for (std::size_t i = 0; i < placed.splits.size(); ++i) {
    if (!is_candidate(placed.splits[i], scenario)) continue;
    const Placement& placement = *placement_of(placed.splits[i].answer);
    const Speed speed =
        predict_speed(make_speed_question(scenario, placed.model, placed.planning, placed.links, placement), timing);
    if (placed.chosen >= 0 && speed.step.value >= placed.speed.step.value) continue;
    placed.chosen = static_cast<int>(i);
    placed.speed = speed;
  }
}

}  // namespace

const Placement* PlacedCluster::placement() const {
  return chosen < 0 ? nullptr : placement_of(splits[static_cast<std::size_t>(chosen)].answer);
}

Result<PlacedCluster> place_on_cluster(const Scenario& scenario, const ProfileLibrary& library,
                                       const TimingParameters& timing) {
  Result<Machine> machine = build_machine(scenario, library);
  if (!machine) return fail(machine.error());
  PlacedCluster placed;
  placed.machine = std::move(*machine);
  const Mixture* mixture = find_mixture(scenario.mixture);
  OBLEA_CHECK(mixture != nullptr, "the scenario reader checks quantisations");
  placed.model = make_footprint(scenario.model, *mixture, scenario.cache());
  EngineLoad load =
      engine_load(scenario.engine, placed.model, scenario.cache(), scenario.workload, layout_of(placed.machine));
  load.companions = companions_of(scenario);
  placed.planning = planning_devices(placed.machine, load, scenario.workload.context, library, true);
  if (placed.planning.accelerators == 0)
    return fail("the cluster has no device that could hold the model", "name devices in cluster.nodes");
  placed.demand = cache_demand(scenario.workload, load);
  placed.splits = plan_splits(placed.model, placed.demand, placed.planning, scenario.split);
  Result<MachineLinks> links = make_machine_links(placed.machine, library);
  if (!links) return fail(links.error());
  placed.links = *links;
  choose(placed, scenario, timing);
  return placed;
}

Verdict memory_verdict(const Scenario& scenario, const PlacedCluster& placed) {
  const PlanningDevices& planning = placed.planning;
  const std::string words = mixture_words(scenario.mixture, scenario.model);
  if (placed.placement() != nullptr) {
    const Placement& placement = *placed.placement();
    Bytes free{};
    for (std::size_t d = 0; d < planning.accelerators; ++d) free += placement.memory[d].free;
    return fit_verdict(
        placement, planning.accelerators,
        fmt::format("{} at {}, {:.0f} x {} tokens: {}; {} left free, at most {} tokens a request or {} requests",
                    scenario.model.name, words, scenario.workload.users, print_count(scenario.workload.context.value()),
                    split_words(placement, planning), print_gib(free),
                    print_count(useful_context(placement, scenario).value()), print_count(placement.concurrency_max)));
  }
  const DoesNotFit* refusal = placed.splits.empty() ? nullptr : refusal_of(placed.splits.front().answer);
  if (refusal == nullptr) return {"does-not-fit", Answer::no, "no split asked for fits"};
  return {"does-not-fit", Answer::no, refusal_words(*refusal, planning.cards(), scenario.model, words)};
}

}  // namespace oblea
