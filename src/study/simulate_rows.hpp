// Rows of the report of `simulate`: where the time goes, what would help, verdicts of a run.
#pragma once

#include <vector>

#include "engine/engine_plan.hpp"
#include "engine/engine_result.hpp"
#include "report/report.hpp"
#include "study/capacity_rate.hpp"
#include "study/relief.hpp"
#include "workload/slo.hpp"

namespace oblea {

// Waiting for a place, until the first token, answering: means of finished requests.
Table request_time_table(const EngineResult& result);

// A row a stage, of a long chain the busiest: computing, waiting for links, the scheduler, idle (nothing to do, or the
// other stages at work). Several replicas: each with the mean share of their schedulers.
Table stage_time_table(const FleetPlan& fleet, const EngineResult& result);

// The largest gain first; its resource is the bottleneck, unless it gains less than 2 %.
Table relief_table(const std::vector<Relief>& reliefs);

// Figures "offered_requests_per_s" and "capacity_requests_per_s"; verdict "load", "load-tight" above nine tenths of the
// capacity, "overloaded" above all of it: the queue then grows for as long as requests come. Capacity lies within the
// factors of the plan's band, since every time does, and may be an eighth more (capacity_rate.hpp).
void add_load(Report& report, const Load& load, const SimulatedPlan& simulated);

// "slo" or "slo-missed", where there is an objective; "rejected-requests" where some were.
void add_run_verdicts(std::vector<Verdict>& verdicts, const EngineResult& result, const Slo& slo);

}  // namespace oblea
