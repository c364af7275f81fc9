// Overrides of a config.json: keys that the user gives, in the block that the language model is read from.
#pragma once

#include <string>
#include <vector>

#include "io/huggingface/config_reader.hpp"
#include "io/import_model.hpp"

namespace oblea {

// Sets each key where it is already written, else in the language model's block; a path with dots is taken as it is.
// Returns where each went; "" for one that leads nowhere, which is a fault.
std::vector<std::string> apply_overrides(JsonDocument& document, const std::vector<KeyOverride>& overrides,
                                         Diagnostics& diagnostics);

// A warning for each override that no reading asked for.
void report_unused(ConfigReader& reader, const std::vector<KeyOverride>& overrides,
                   const std::vector<std::string>& paths);

}  // namespace oblea
