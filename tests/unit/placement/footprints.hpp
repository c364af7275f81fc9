// Models as bare numbers, so that a test's arithmetic can be followed by hand.
#pragma once

#include <string>
#include <vector>

#include "llm/footprint.hpp"
#include "placement/placement.hpp"

namespace oblea::test {

inline LayerFootprint dense_layer(double weights, double kv_per_token = 0) {
  LayerFootprint layer;
  layer.weights = Bytes(weights);
  layer.trunk_read.add(TensorFormat::q4_k, weights);
  layer.kv_per_token = BytesPerToken(kv_per_token);
  layer.heads = 64;
  layer.kv_heads = 8;
  return layer;
}

inline ModelFootprint dense_model(int layers, double layer_weights, double kv_per_token = 0) {
  ModelFootprint model;
  model.layers.assign(static_cast<std::size_t>(layers), dense_layer(layer_weights, kv_per_token));
  return model;
}

// Experts come on top of `trunk`.
inline LayerFootprint moe_layer(double trunk, int experts, int active, double expert, double kv_per_token = 0) {
  LayerFootprint layer = dense_layer(trunk, kv_per_token);
  layer.weights += Bytes(expert * experts);
  layer.expert_weights = Bytes(expert * experts);
  layer.expert_read.add(TensorFormat::q4_k, expert);
  layer.experts = experts;
  layer.active_experts = active;
  return layer;
}

// Kimi K3 at 4.25 bits a weight with a 16-bit trunk: 93 layers, full attention (MLA) at 4, 8, ..., 92 and 93.
inline ModelFootprint kimi_k3_by_numbers() {
  ModelFootprint model;
  for (int number = 1; number <= 93; ++number) {
    const bool full = number % 4 == 0 || number == 93;
    LayerFootprint layer = dense_layer(full ? 16.56e9 : number == 1 ? 2.4e9 : 16.99e9, full ? 1152 : 0);
    layer.attention = full ? AttentionKind::latent : AttentionKind::linear;
    layer.state_per_request = Bytes(full ? 0 : 6.291456e6);  // 96 x 128 x 128 x 4 B
    model.layers.push_back(layer);
  }
  model.embedding = model.head = Bytes(2.349e9);  // 163,840 x 7,168 x 2 B
  return model;
}

inline PlacementDevice device(const std::string& name, double usable_bytes, double seconds_per_byte = 1e-9) {
  return {name, Bytes(usable_bytes), Bytes(usable_bytes), seconds_per_byte, 0, false};
}

inline PlacementDevice host(double usable_bytes, double seconds_per_byte = 1e-8) {
  return {"host", Bytes(usable_bytes), Bytes(usable_bytes), seconds_per_byte, 0, true};
}

}  // namespace oblea::test
