#include "study/simulated_loading.hpp"

#include <algorithm>

#include <fmt/core.h>

#include "study/cold_start.hpp"

namespace oblea {

Loading loading_from(const ProfileLibrary& library) {
  return [&library](const Scenario& scenario, const PlacedCluster& placed) {
    return cold_start(scenario, placed, library);
  };
}

void add_loading(SimulatedPlan& simulated, const PlannedFleet& planned) {
  const ColdStart* last = nullptr;
  for (std::size_t r = 0; r < planned.whole.size(); ++r) {
    const std::optional<ColdStart>& start = planned.whole[r].loading;
    if (!start) return;
    if (last == nullptr || start->ready_s > last->ready_s) last = &*start;
    simulated.tables.push_back(start->table);
    const std::string& name = planned.fleet.replicas[r].name;
    if (!name.empty()) simulated.tables.back().name += fmt::format(" of {}", name);
    for (const std::string& note : start->notes) {
      if (std::find(simulated.notes.begin(), simulated.notes.end(), note) == simulated.notes.end())
        simulated.notes.push_back(note);
    }
  }
  simulated.metrics.push_back(make_metric("load_s", last->ready_s, "s", last->low_s, last->high_s, Origin::estimate));
}

}  // namespace oblea
