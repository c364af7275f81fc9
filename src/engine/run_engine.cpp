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
  for (const EnginePlan* plan : plans_of(fleet)) links.insert(links.end(), plan->links.begin(), plan->links.end());
  return links;
}

// Several passes at once on one link share it as SimGrid says: no closed form.
bool shares_links(const EnginePlan* plan) {
  return group_count(plan->serving) > 1 &&
         std::any_of(plan->stages.begin(), plan->stages.end(), [](const StagePlan& s) { return s.hop_link >= 0; });
}

}  // namespace

EngineResult run_engine_here(const FleetPlan& plan, const EngineRequests& requests, const EngineOptions& options) {
  OBLEA_CHECK(check_run(plan, requests).empty(), "the caller has checked the plan");
  Fleet fleet(plan, requests, options);
  const std::vector<const EnginePlan*> plans = plans_of(plan);
  const bool by_steps = options.step_by_step || std::any_of(plans.begin(), plans.end(), shares_links);
  SimulatedTime time(by_steps ? links_of(plan) : std::vector<LinkPlan>{});  // only steps send over links
  expect_exceptions_of_actors();
  if (by_steps)
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
  return result_from_bytes(*bytes);
}

}  // namespace oblea
