// What a config.json holds besides the language model's layers: vision and audio towers, per-layer embeddings, learned
// positions, and layers that predict further tokens.
#pragma once

#include <cstdint>

#include "io/huggingface/config_families.hpp"
#include "io/huggingface/config_reader.hpp"
#include "llm/model_spec.hpp"

namespace oblea {

// Parameters of a vision or audio tower and its projector into `hidden`, by the formula of a vision transformer:
// layers x (4 x width x inner + 2 or 3 x width x MLP + biases and norms) + patches + positions + projector.
// Example (Gemma 3 27B: 27 layers of 1152 with an MLP of 4304, patches of 14 of 896 pixels, into 5376): 423.1 M; its
// checkpoint of 27,432 M less the text model of 27,009 M.
std::int64_t tower_parameters(const JsonValue& tower, std::int64_t hidden);

// Everything that is resident but not read for every token; estimates are warnings.
std::int64_t read_extra_parameters(ConfigReader& reader, const FamilyFacts& facts, const ModelSpec& model);

// Parameters of the layers that predict further tokens: left out, because engines load them only to speculate; the
// warning says how many they are.
std::int64_t read_prediction_parameters(ConfigReader& reader, const ModelSpec& model);

}  // namespace oblea
