// ScenarioFailures: the "failures" section of a scenario file: what breaks, when or how often, and how it is repaired.
#pragma once

#include "io/fields.hpp"
#include "study/scenario.hpp"

namespace oblea {

// After the cluster, whose nodes and cards it names.
void parse_failures(ObjectReader& root, Scenario& scenario);

}  // namespace oblea
