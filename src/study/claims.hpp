// Claims: sentences of a guide with a number in them, held against what a run computes.
#pragma once

#include <functional>

#include "base/result.hpp"
#include "report/report.hpp"
#include "study/scenario.hpp"

namespace oblea {

// Computes the report of a variant of the scenario.
using Evaluate = std::function<Result<Report>(const Scenario&)>;

// Each claim against its metric in `report`, or in the report of its own variant. Confirmed when the relation holds for
// the metric's value, refuted when not, unknown when the run has no such metric; where the metric's band holds both
// answers, the row says so. Errors: those of the variants.
Result<std::vector<ClaimRow>> check_claims(const Scenario& scenario, const Report& report, const Evaluate& evaluate);

bool holds(double computed, Relation relation, double claimed, double tolerance);

// Do low, value and high all give the same answer?
bool band_agrees(const Metric& metric, Relation relation, double claimed, double tolerance);

}  // namespace oblea
