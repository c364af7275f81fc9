// Rows of the report of `simulate` about replicas and failures: who served, what was lost, what failures cost.
#pragma once

#include <string>
#include <vector>

#include "engine/engine_result.hpp"
#include "report/report.hpp"
#include "study/planned_fleet.hpp"
#include "study/run_figures.hpp"

namespace oblea {

// Requests answered, seconds down, share of its time at work of each replica.
Table replica_table(const FleetPlan& fleet, const EngineResult& result);

// "availability_percent", "outage_percent", "retried_requests", "lost_requests".
std::vector<Figure> failure_figures(const FleetPlan& fleet, const EngineResult& result);

// "handover_percent": share of the run in which a cache is on its way; "handover_mean_s" of an answered request.
std::vector<Figure> handover_figures(const EngineResult& result);

// The same requests without failures and with them.
Table failure_cost_table(const FleetPlan& fleet, const EngineResult& without, const EngineResult& with);

// "outage" where for some time nothing that is left holds the model, "interrupted" where at least nobody serves for
// some time, else "available"; "lost-requests" where some were.
void add_failure_verdicts(std::vector<Verdict>& verdicts, const FleetPlan& fleet, const EngineResult& result);

// What happened, in plain words: "from 120 s: node2 fails; replica 1 holds the model no longer (why): down until
// 730 s". The first few changes within the run; the others are counted.
std::vector<std::string> change_notes(const PlannedFleet& planned, double end_s);

}  // namespace oblea
