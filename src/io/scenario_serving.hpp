// ScenarioServing: the "serving" section of a scenario file: replicas, and how requests are spread over them.
#pragma once

#include "io/fields.hpp"
#include "study/scenario.hpp"

namespace oblea {

void parse_serving(ObjectReader& root, Scenario& scenario);

}  // namespace oblea
