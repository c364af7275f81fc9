// GGUF files that hold no decoder of text: what they are instead, and what that means for memory.
#pragma once

#include <optional>
#include <vector>

#include "io/gguf/keys.hpp"

namespace oblea {

// Vision towers, adapters, encoders (no KV cache), makers of images and sound. nullopt for a language model.
std::optional<Diagnostic> refuse_other_kind(GgufKeys& keys, const std::vector<GgufHeader>& headers);

// True for a tower or projector that lies beside a language model ("mmproj").
bool is_vision_tower(const GgufHeader& header);

}  // namespace oblea
