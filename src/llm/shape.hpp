// Shape: the widths of a model that decide how large an engine's working buffers are, each the widest of any layer.
#pragma once

#include <cstdint>

#include "llm/model_spec.hpp"

namespace oblea {

// Widths in elements a token. Example (Llama 3.3 70B): hidden 8,192, query 64 x 128 = 8,192, feed-forward 28,672.
struct ModelShape {
  double hidden = 0;
  double vocabulary = 0;
  double query = 0;          // heads x head dimension
  double value = 0;          // KV heads x dimension of V
  double latent = 0;         // MLA: heads x (2 x kv_lora_rank + rope), queries against the latent vector and their mix
  double feed_forward = 0;   // dense
  double expert = 0;         // experts a token visits x width of one
  double expert_output = 0;  // experts a token visits x hidden
  double heads = 0;          // of layers that keep the whole context
  double window_heads = 0;   // of sliding layers
  double window = 0;         // tokens; 0: no sliding layer
  bool keeps_context = false;
  bool has_recurrent_layers = false;
};

ModelShape make_shape(const ModelSpec& model);

}  // namespace oblea
