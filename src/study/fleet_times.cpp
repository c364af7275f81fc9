#include "study/fleet_times.hpp"

#include <algorithm>

namespace oblea {
namespace {

double until_s(const Replica& replica, std::size_t phase, double end_s) {
  return std::min(end_s, phase_end_s(replica, phase));
}

// One replica more or fewer that reads prompts, answers, or both.
struct Step {
  double at_s = 0;
  int readers = 0;
  int answerers = 0;
};

// Seconds in which somebody reads and somebody answers; a phase counts from `begin`.
double covered_s(const FleetPlan& fleet, double end_s, double Phase::*begin) {
  std::vector<Step> steps = {{end_s, 0, 0}};
  for (const Replica& replica : fleet.replicas) {
    const int readers = takes_prompts(replica.role) ? 1 : 0;
    const int answerers = answers(replica.role) ? 1 : 0;
    for (std::size_t p = 0; p < replica.phases.size(); ++p) {
      const double from = replica.phases[p].*begin;
      const double to = until_s(replica, p, end_s);
      if (!replica.phases[p].plan || from >= to) continue;
      steps.push_back({from, readers, answerers});
      steps.push_back({to, -readers, -answerers});
    }
  }
  std::stable_sort(steps.begin(), steps.end(), [](const Step& a, const Step& b) { return a.at_s < b.at_s; });
  double covered = 0;
  double before = 0;
  int readers = 0;
  int answerers = 0;
  for (const Step& step : steps) {
    if (readers > 0 && answerers > 0) covered += step.at_s - before;
    before = step.at_s;
    readers += step.readers;
    answerers += step.answerers;
  }
  return covered;
}

}  // namespace

std::vector<Lane> lanes_of(const FleetPlan& fleet, double end_s) {
  const std::vector<std::string> names = lane_names(fleet);
  std::vector<Lane> lanes;
  for (std::size_t r = 0; r < fleet.replicas.size(); ++r) {
    const Replica& replica = fleet.replicas[r];
    for (std::size_t p = 0; p < replica.phases.size(); ++p) {
      if (!replica.phases[p].plan) continue;
      const double alive = std::max(0.0, until_s(replica, p, end_s) - std::min(end_s, replica.phases[p].from_s));
      for (std::size_t s = 0; s < replica.phases[p].plan->stages.size(); ++s) {
        lanes.push_back({names[lanes.size()], static_cast<int>(r), alive});
      }
    }
  }
  return lanes;
}

double available_s(const FleetPlan& fleet, double end_s) { return covered_s(fleet, end_s, &Phase::ready_s); }

double outage_s(const FleetPlan& fleet, double end_s) { return end_s - covered_s(fleet, end_s, &Phase::from_s); }

ServingPlan room_of(const FleetPlan& fleet) {
  ServingPlan room;
  room.sequences_max = 0;
  for (const Replica& replica : fleet.replicas) {
    if (!answers(replica.role) || replica.phases.empty() || !replica.phases.front().plan) continue;
    const ServingPlan& serving = replica.phases.front().plan->serving;
    room.sequences_max += serving.sequences_max;
    room.cache_tokens += serving.cache_tokens;
  }
  return room;
}

}  // namespace oblea
