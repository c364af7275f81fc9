// The safetensors beside a config.json: their headers as the weights that a model holds, byte for byte, layer by layer;
// or, with the index alone, a check of its total.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/diagnostic.hpp"
#include "io/huggingface/safetensors_header.hpp"
#include "llm/model_spec.hpp"

namespace oblea {

// Sets model.stored from the files in `folder` where all of them are there. Nothing is a fault: a file that cannot be
// read is a warning, and the geometry stands. An index whose total is more than 2 % from the geometry's, with or
// without the layers that predict further tokens, is a warning.
void add_stored_weights(ModelSpec& model, const std::string& folder, std::int64_t prediction_parameters,
                        Diagnostics& warnings);

// The tensors by layer. `native_format` tells what packed integers are (AWQ's INT4, NVFP4, MXFP4).
StoredWeights sort_tensors(const std::vector<SafeTensor>& tensors, std::size_t layers,
                           const std::string& native_format);

}  // namespace oblea
