// PowerRows: what a report says of watts, supplies, circuit, breaker and UPS.
#pragma once

#include <vector>

#include "report/report.hpp"
#include "study/machine_power.hpp"

namespace oblea {

// "breaker_*" where the site asks for it or the breaker may open, "ups_*" where there is one.
void add_power_metrics(std::vector<Metric>& metrics, const MachinePower& power);

// One for each described supply, one for the circuit; breaker and UPS as above.
void add_power_verdicts(std::vector<Verdict>& verdicts, const Machine& machine, const MachinePower& power);

// Supplies, breaker and UPS alone, for a report that tells the watts of its own run.
void add_supply_metrics(std::vector<Metric>& metrics, const MachinePower& power);

}  // namespace oblea
