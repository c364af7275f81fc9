// The attention of one layer of a config.json, as the keys for its kind give it.
#pragma once

#include <cstddef>

#include "io/huggingface/config_plan.hpp"
#include "llm/model_spec.hpp"

namespace oblea {

// Faults name what is missing, with every alias; nothing is guessed but what a family's class fixes.
Attention read_attention(ConfigReader& reader, const FamilyFacts& facts, const LayerPlan& plan, std::size_t index);

}  // namespace oblea
