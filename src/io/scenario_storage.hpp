// ScenarioStorage: the "storage" section of a scenario file: where the weights are when the engines start.
#pragma once

#include "hardware/library.hpp"
#include "io/fields.hpp"
#include "study/scenario.hpp"

namespace oblea {

// After the cluster. A chain of wafers does not use it, and says so.
void parse_storage_settings(ObjectReader& root, const ProfileLibrary& library, Scenario& scenario,
                            Diagnostics& warnings);

}  // namespace oblea
