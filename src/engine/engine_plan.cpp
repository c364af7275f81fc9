#include "engine/engine_plan.hpp"

#include <limits>

#include <fmt/core.h>

namespace oblea {

double phase_end_s(const Replica& replica, std::size_t phase) {
  return phase + 1 < replica.phases.size() ? replica.phases[phase + 1].from_s : std::numeric_limits<double>::infinity();
}

std::vector<const EnginePlan*> plans_of(const FleetPlan& fleet) {
  std::vector<const EnginePlan*> plans;
  for (const Replica& replica : fleet.replicas) {
    for (const Phase& phase : replica.phases) {
      if (phase.plan) plans.push_back(phase.plan.get());
    }
  }
  return plans;
}

FleetPlan fleet_of(const EnginePlan& plan) {
  FleetPlan fleet;
  fleet.replicas.push_back({"", Role::whole, {{0, std::make_shared<const EnginePlan>(plan), plan.start_s}}});
  return fleet;
}

std::vector<std::string> lane_names(const FleetPlan& fleet) {
  std::vector<std::string> names;
  for (const Replica& replica : fleet.replicas) {
    for (std::size_t p = 0; p < replica.phases.size(); ++p) {
      if (!replica.phases[p].plan) continue;
      const std::string since = p == 0 ? "" : fmt::format(" (from {:.6g} s)", replica.phases[p].from_s);
      for (const StagePlan& stage : replica.phases[p].plan->stages) {
        names.push_back(replica.name.empty() ? stage.name + since
                                             : fmt::format("{}: {}{}", replica.name, stage.name, since));
      }
    }
  }
  return names;
}

}  // namespace oblea
