// RunSupplies: whether supplies and mains carry the machines of a run.
#pragma once

#include "engine/engine_plan.hpp"
#include "hardware/library.hpp"
#include "report/report.hpp"
#include "study/scenario.hpp"

namespace oblea {

// All boxes of the cluster, whole, with every card at work; what cards do together is read off the plan of one replica.
// Nothing without a cluster.
void add_run_supplies(Report& report, const Scenario& scenario, const ProfileLibrary& library, const EnginePlan& plan);

}  // namespace oblea
