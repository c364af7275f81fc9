// RunFigures: what users felt and what the machine did in one run, as named numbers.
#pragma once

#include <string>
#include <vector>

#include "engine/engine_plan.hpp"
#include "engine/engine_result.hpp"
#include "workload/slo.hpp"

namespace oblea {

struct Figure {
  std::string name;  // as in the report, unit last
  std::string unit;
  double value = 0;
};

// Nearest rank: the smallest sample that at least `percent` of all do not exceed; `sorted` is not empty.
// Example: 95 % of 1 ... 20: 0.95 x 20 = 19th, 19. 50 % of {1, 2, 3}: 2nd, 2.
double percentile(const std::vector<double>& sorted, double percent);

// TTFT: arrival to first token. TPOT: first to last token over the tokens between, of answers of two and more. End to
// end: arrival to last token. Rejected requests count in `rejected_requests` and against goodput, nowhere else.
// Shares of stages are of the time for which they exist; the cache's is of the replica with the most room.
// "first_answer_s", where weights are loaded: from the start of the run. For a plan always the same names in the same
// order.
std::vector<Figure> run_figures(const FleetPlan& fleet, const EngineResult& result, const Slo& slo);

// Requests that ended so.
double count_of(const EngineResult& result, Outcome outcome);

// Share of all requests that met the objective.
double goodput_share(const EngineResult& result, const Slo& slo);

// Arrival to last token, the mean of finished requests.
double mean_request_s(const EngineResult& result);

}  // namespace oblea
