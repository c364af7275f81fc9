#include "study/run_supplies.hpp"

#include "study/build_machine.hpp"
#include "study/place_options.hpp"
#include "study/power_rows.hpp"

namespace oblea {

void add_run_supplies(Report& report, const Scenario& scenario, const ProfileLibrary& library, const EnginePlan& plan) {
  if (scenario.cluster.nodes.empty() || scenario.wafers) return;
  const Result<Machine> machine = build_machine(scenario, library);
  if (!machine) return;  // replicas that nothing joins
  const MachinePower power = assess_power(*machine, {}, work_of_stages(plan.stages, scenario.draft.has_value()),
                                          mains_of(scenario.site, cooling_watts(scenario, library)));
  add_supply_metrics(report.metrics, power);
  add_power_verdicts(report.verdicts, *machine, power);
}

}  // namespace oblea
