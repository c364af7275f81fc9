// The other way round: a ModelSpec as the text of a model file, which `io/model_file` reads back to the same value.
#pragma once

#include <string>

#include "llm/model_spec.hpp"

namespace oblea {

// JSON of hardware-profiles/schemas/model.schema.json. Fields at their defaults are left out; equal layers share one
// entry of "layer_kinds"; text that is no UTF-8 is replaced letter by letter.
std::string write_model_file(const ModelSpec& model);

}  // namespace oblea
