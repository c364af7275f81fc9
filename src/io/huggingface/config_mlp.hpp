// The MLP of one layer of a config.json: dense, or experts with what is shared between tokens.
#pragma once

#include <cstddef>

#include "io/huggingface/config_plan.hpp"
#include "llm/model_spec.hpp"

namespace oblea {

Mlp read_mlp(ConfigReader& reader, const FamilyFacts& facts, const LayerPlan& plan, std::size_t index);

}  // namespace oblea
