// ScenarioTraffic: the "traffic" and "slo" sections of a scenario file: who sends what when, and what counts as good.
#pragma once

#include "io/fields.hpp"
#include "study/scenario.hpp"

namespace oblea {

// What is not said follows the workload: its users in a closed loop, its prompt and its answer.
void parse_traffic(ObjectReader& root, Scenario& scenario);
void parse_slo(ObjectReader& root, Scenario& scenario);

}  // namespace oblea
