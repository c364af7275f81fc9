#include "engine/run_engine.hpp"

#include <algorithm>

#include "base/check.hpp"
#include "engine/check_plan.hpp"
#include "engine/drivers.hpp"
#include "engine/result_bytes.hpp"

namespace oblea {
namespace {

std::vector<LinkPlan> links_of(const FleetPlan& fleet) {
  std::vector<LinkPlan> links;
  for (const Replica& replica : fleet.replicas) {
    for (const Phase& phase : replica.phases) {
      if (phase.plan) links.insert(links.end(), phase.plan->links.begin(), phase.plan->links.end());
    }
  }
  return links;
}

// Several passes at once on one link share it as SimGrid says: no closed form.
bool shares_links(const FleetPlan& fleet) {
  const auto shares = [](const Phase& phase) {
    if (!phase.plan || group_count(phase.plan->serving) < 2) return false;
    const std::vector<StagePlan>& stages = phase.plan->stages;
    return std::any_of(stages.begin(), stages.end(), [](const StagePlan& s) { return s.hop_link >= 0; });
  };
  return std::any_of(fleet.replicas.begin(), fleet.replicas.end(), [&](const Replica& replica) {
    return std::any_of(replica.phases.begin(), replica.phases.end(), shares);
  });
}

}  // namespace

EngineResult run_engine_here(const FleetPlan& plan, const EngineRequests& requests, const EngineOptions& options) {
  OBLEA_CHECK(check_run(plan, requests).empty(), "the caller has checked the plan");
  Fleet fleet(plan, requests, options);
  SimulatedTime time(links_of(plan));
  expect_exceptions_of_actors();
  if (options.step_by_step || shares_links(plan))
    drive_step_by_step(fleet, time);
  else
    drive_by_events(fleet, time);
  time.run();
  return fleet.take_result();
}

Result<EngineResult> run_engine(const EnginePlan& plan, const EngineRequests& requests, const EngineOptions& options) {
  return run_engine(fleet_of(plan), requests, options);
}

Result<EngineResult> run_engine(const FleetPlan& plan, const EngineRequests& requests, const EngineOptions& options) {
  if (Diagnostics faults = check_run(plan, requests); !faults.empty()) return fail(std::move(faults));
  const auto body = [&](const Progress& progress) {
    EngineOptions own = options;
    own.progress = progress;
    return to_bytes(run_engine_here(plan, requests, own));
  };
  const Result<std::string> bytes = run_forked(body, options.progress, options.limits);
  if (!bytes) return fail(bytes.error());
  return from_bytes(*bytes);
}

}  // namespace oblea
