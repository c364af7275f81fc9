#include "study/simulated_plan.hpp"

#include <algorithm>

#include <fmt/core.h>

#include "study/engine_plan_of_wafers.hpp"
#include "study/planned_fleet.hpp"
#include "study/simulated_loading.hpp"
#include "units/print.hpp"

namespace oblea {
namespace {

const char* serving_words(Serving kind) {
  switch (kind) {
    case Serving::slots:
      return "slots, each with its context";
    case Serving::continuous:
      return "continuous batching";
    case Serving::single:
      return "one request at a time";
  }
  return "";
}

std::string plan_words(const ServingPlan& serving) {
  return fmt::format("{}: {} sequences at once at most, {} tokens a pass, room for {} tokens of KV",
                     serving_words(serving.kind), serving.sequences_max, serving.pass_tokens,
                     print_count(serving.cache_tokens));
}

// One verdict for replicas that are alike, else one each.
std::vector<Verdict> memory_verdicts(const PlannedFleet& planned) {
  const std::vector<PlannedPart>& whole = planned.whole;
  std::vector<Verdict> verdicts = {whole.front().memory};
  if (whole.size() == 1) return verdicts;
  const auto alike = [&](const PlannedPart& part) { return part.memory.words == whole.front().memory.words; };
  if (std::all_of(whole.begin(), whole.end(), alike)) {
    verdicts.front().words = fmt::format("each of {} replicas: {}", whole.size(), verdicts.front().words);
    return verdicts;
  }
  verdicts.clear();
  for (std::size_t r = 0; r < whole.size(); ++r) {
    verdicts.push_back(whole[r].memory);
    verdicts.back().words = fmt::format("replica {}: {}", r + 1, verdicts.back().words);
  }
  return verdicts;
}

void add_provenance(std::vector<std::string>& sources, const std::vector<std::string>& more) {
  for (const std::string& source : more) {
    if (std::find(sources.begin(), sources.end(), source) == sources.end()) sources.push_back(source);
  }
}

Result<SimulatedPlan> plan_cluster(const Scenario& scenario, const ProfileLibrary& library,
                                   const TimingParameters& timing) {
  const Result<PlannedFleet> planned = plan_fleet(scenario, library, timing, loading_from(library), {});
  if (!planned) return fail(planned.error());
  SimulatedPlan simulated;
  simulated.verdicts = memory_verdicts(*planned);
  for (const PlannedPart& part : planned->whole) add_provenance(simulated.provenance, part.provenance);
  simulated.fleet = planned->fleet;
  if (!simulated.fits()) return simulated;
  if (planned->whole.size() == 1) simulated.machine = planned->whole.front().machine;
  simulated.low = planned->low;
  simulated.high = planned->high;
  simulated.origin = planned->origin;
  if (!planned->handover.empty()) {
    simulated.notes.push_back("between the first token and the second the cache moves: " + planned->handover);
  }
  add_loading(simulated, *planned);
  return simulated;
}

}  // namespace

Result<SimulatedPlan> make_simulated_plan(const Scenario& scenario, const ProfileLibrary& library,
                                          const TimingParameters& timing) {
  if (!scenario.wafers && scenario.cluster.nodes.empty()) {
    return fail("the scenario has neither \"cluster\" nor \"wafers\": there is nothing to run the model on",
                "describe the boxes in cluster.nodes, or ask oblea size which to buy");
  }
  Result<SimulatedPlan> simulated =
      scenario.wafers ? plan_wafer_chain(scenario, library) : plan_cluster(scenario, library, timing);
  if (!simulated || !simulated->fits()) return simulated;
  const char* whose = simulated->fleet.replicas.size() > 1 ? "the first replica: " : "";
  simulated->notes.push_back(whose + plan_words(simulated->first_plan().serving));
  return simulated;
}

}  // namespace oblea
