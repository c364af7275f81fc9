#include "study/run_supplies.hpp"

#include <algorithm>

#include "study/build_machine.hpp"
#include "study/place_options.hpp"
#include "study/power_rows.hpp"

namespace oblea {
namespace {

SharedWork work_of(const EnginePlan& plan, bool drafting) {
  const bool grouped = std::any_of(plan.stages.begin(), plan.stages.end(),
                                   [](const StagePlan& stage) { return stage.devices.size() > 1; });
  if (grouped) return {WorkSplit::tensor, drafting};
  return {plan.stages.size() > 1 ? WorkSplit::layers : WorkSplit::independent, drafting};
}

}  // namespace

void add_run_supplies(Report& report, const Scenario& scenario, const ProfileLibrary& library, const EnginePlan& plan) {
  if (scenario.cluster.nodes.empty() || scenario.wafers) return;
  const Result<Machine> machine = build_machine(scenario, library);
  if (!machine) return;  // replicas that nothing joins
  const MachinePower power = assess_power(*machine, {}, work_of(plan, scenario.draft.has_value()),
                                          mains_of(scenario.site, cooling_watts(scenario, library)));
  add_supply_metrics(report.metrics, power);
  add_power_verdicts(report.verdicts, *machine, power);
}

}  // namespace oblea
