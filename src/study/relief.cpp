#include "study/relief.hpp"

#include <algorithm>

#include "study/run_figures.hpp"
#include "study/scaled_plan.hpp"

namespace oblea {
namespace {

struct Change {
  const char* resource;
  const char* words;
  PlanFactors factors;
};

const Change kChanges[] = {{"decode", "devices that decode twice as fast", {.decode = 0.5}},
                           {"prompts", "devices that read prompts twice as fast", {.prefill = 0.5}},
                           {"links", "links twice as fast", {.links = 0.5}},
                           {"cache", "twice the room for KV", {.cache = 2}},
                           {"slots", "twice the sequences at once", {.slots = 2}}};

}  // namespace

Result<std::vector<Relief>> find_relief(const FleetPlan& fleet, const EngineRequests& requests, double request_s) {
  std::vector<Relief> reliefs;
  if (request_s <= 0) return reliefs;
  for (const Change& change : kChanges) {
    const Result<EngineResult> run = run_engine(scaled_fleet(fleet, change.factors), requests, {});
    if (!run) return fail(run.error());
    const double seconds = mean_request_s(*run);
    reliefs.push_back({change.resource, change.words, seconds, 1 - seconds / request_s});
  }
  std::stable_sort(reliefs.begin(), reliefs.end(), [](const Relief& a, const Relief& b) { return a.gain > b.gain; });
  return reliefs;
}

}  // namespace oblea
