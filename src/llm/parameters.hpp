// Parameter counts from geometry, exact integers.
#pragma once

#include <cstdint>

#include "llm/model_spec.hpp"

namespace oblea {

std::int64_t attention_parameters(const Attention& attention, std::int64_t hidden);
std::int64_t expert_parameters(const Mlp& mlp, std::int64_t hidden);  // one routed expert
std::int64_t layer_parameters(const Layer& layer, std::int64_t hidden);
std::int64_t active_layer_parameters(const Layer& layer, std::int64_t hidden);  // what one token visits
std::int64_t embedding_parameters(const ModelSpec& model);
std::int64_t head_parameters(const ModelSpec& model);    // 0 when tied
std::int64_t total_parameters(const ModelSpec& model);   // without extra_parameters
std::int64_t active_parameters(const ModelSpec& model);  // embedding row excluded, head included

}  // namespace oblea
