// A Hugging Face config.json as a ModelSpec. Geometry only; the weights' bytes are in the safetensors beside it.
#pragma once

#include "io/import_model.hpp"

namespace oblea {

Result<ModelSpec> read_config_model(const std::string& path, const std::vector<KeyOverride>& overrides,
                                    Diagnostics& warnings);

// The same of a text at hand; `file` is only a name for messages.
Result<ModelSpec> parse_config_model(std::string text, const std::string& file,
                                     const std::vector<KeyOverride>& overrides, Diagnostics& warnings);

}  // namespace oblea
