// Claims: sentences of a guide with a number in them, held against what a run computes.
#pragma once

#include <functional>

#include "base/result.hpp"
#include "report/report.hpp"
#include "study/scenario.hpp"

namespace oblea {

// Computes the report of a variant of the scenario.
using Evaluate = std::function<Result<Report>(const Scenario&)>;

// Each claim against its metric in `report`, or in the report of its own variant. Confirmed when the relation holds for some
// value within the metric's band, refuted when for none, unknown when the run has no such metric.
// Errors: those of the variants.
Result<std::vector<ClaimRow>> check_claims(const Scenario& scenario, const Report& report, const Evaluate& evaluate);

// The relation for every value between low and high at once: does any satisfy it?
bool band_satisfies(const Metric& metric, Relation relation, double value, double tolerance);

}  // namespace oblea
