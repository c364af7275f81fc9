#include "study/capacity_rate.hpp"

#include <algorithm>
#include <cmath>

#include "study/fleet_times.hpp"
#include "study/run_figures.hpp"

namespace oblea {
namespace {

constexpr double kWaves = 8;

}  // namespace

int rounds_to_saturate(const ServingPlan& serving, const std::vector<Request>& requests) {
  double tokens = 0;
  for (const Request& r : requests) tokens += r.prompt_tokens + r.output_tokens;
  const double count = static_cast<double>(requests.size());
  const double by_cache = serving.cache_tokens * count / std::max(tokens, 1.0);
  const double at_once = std::max(1.0, std::min<double>(serving.sequences_max, by_cache));
  return static_cast<int>(std::max(1.0, std::ceil(kWaves * at_once / count)));
}

Result<std::optional<Load>> find_load(const SimulatedPlan& simulated, const EngineRequests& requests) {
  const std::vector<Request>& once = requests.requests;
  if (once.size() < 2) return std::nullopt;
  const double span = once.back().arrival_s - once.front().arrival_s;
  if (span <= 0) return std::nullopt;
  EngineRequests all;
  const int rounds = rounds_to_saturate(room_of(simulated.fleet), once);
  for (int round = 0; round < rounds; ++round) all.requests.insert(all.requests.end(), once.begin(), once.end());
  for (Request& request : all.requests) request.arrival_s = 0;
  FleetPlan loaded = simulated.fleet;
  for (Replica& replica : loaded.replicas) replica.phases.front().ready_s = 0;
  const Result<EngineResult> run = run_engine(loaded, all, {});
  if (!run) return fail(run.error());
  const double finished = count_of(*run, Outcome::finished);
  if (finished == 0 || run->end_s <= 0) return std::nullopt;
  return Load{static_cast<double>(once.size() - 1) / span, finished / run->end_s};
}

}  // namespace oblea
