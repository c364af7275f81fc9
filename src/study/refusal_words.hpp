// The arithmetic of "does not fit", in words.
#pragma once

#include <span>
#include <string>

#include "llm/model_spec.hpp"
#include "placement/placement.hpp"

namespace oblea {

// "39.6 GiB of weights against 26.4 GiB usable (28.0 GiB installed): 13.2 GiB short".
std::string refusal_words(const DoesNotFit& refusal, std::span<const PlacementDevice> devices, const ModelSpec& model,
                          const std::string& mixture);

// The short form for a table: "39.6 GiB of weights against 26.4 usable".
std::string refusal_short(const DoesNotFit& refusal);

}  // namespace oblea
