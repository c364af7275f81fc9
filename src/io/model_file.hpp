// Model files: one JSON a model, from geometry as its makers published it to a ModelSpec.
#pragma once

#include <string>
#include <vector>

#include "base/result.hpp"
#include "llm/model_spec.hpp"

namespace oblea {

// Errors: every fault of the text at once: unknown keys, impossible geometry (heads that KV heads do not divide, a
// window of 0), more than kMaxLayers layers. A parameter count more than 3 % from the published one is a warning.
Result<ModelSpec> parse_model(std::string text, const std::string& file, Diagnostics& warnings);

Result<ModelSpec> read_model(const std::string& path, Diagnostics& warnings);

// The model of that id in a folder of model files. An unknown id lists the near ones.
Result<ModelSpec> find_model(const std::string& folder, const std::string& id, Diagnostics& warnings);

// The ids in a folder, sorted.
Result<std::vector<std::string>> list_models(const std::string& folder);

}  // namespace oblea
