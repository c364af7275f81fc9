// ScenarioSize: the "size" section of a scenario file: what `size` may choose from.
#pragma once

#include "io/scenario_sections.hpp"
#include "study/scenario.hpp"

namespace oblea {

void parse_size(ObjectReader& root, const ProfileLibrary& library, Scenario& scenario);

}  // namespace oblea
