// Scenario files: from JSON text and command-line settings to a checked Scenario.
#pragma once

#include <string>
#include <vector>

#include "base/result.hpp"
#include "hardware/library.hpp"
#include "study/scenario.hpp"

namespace oblea {

// One setting of the command line: a path of the scenario, its value, and how the user wrote it.
struct ScenarioSetting {
  std::string path;
  std::string value;
  std::string origin;
};

// Reads `path` (empty: a scenario made of settings alone), what it extends, and its claims' variants. Every fault at
// once: syntax, unknown keys, units, ranges, names that no profile or model has, files that extend each other in a
// ring.
Result<Scenario> read_scenario(const std::string& path, const std::vector<ScenarioSetting>& settings,
                               const ProfileLibrary& library, const std::string& models_folder, Diagnostics& warnings);

}  // namespace oblea
