// The feed-forward part of one layer of a GGUF: dense, or experts.
#pragma once

#include "io/gguf/blocks.hpp"
#include "io/gguf/plan.hpp"
#include "llm/model_spec.hpp"

namespace oblea {

// By its tensors where the layer has any; else by the keys. What is missing becomes a fault of the keys.
Mlp read_mlp(GgufKeys& keys, const GgufPlan& plan, int layer, const GgufBlock& block);

// A tensor of the routed experts: "ffn_down_exps.weight", or "ffn_down.7.weight" of older files.
bool is_routed_expert(std::string_view rest_of_name);

}  // namespace oblea
