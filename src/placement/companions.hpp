// Companions: what stands beside the model on the first device: a draft model, adapters, a vision tower at work.
#pragma once

#include <vector>

#include "llm/model_spec.hpp"
#include "placement/engine_buffers.hpp"

namespace oblea {

struct Companions {
  Bytes draft_weights{};
  Bytes draft_cache{};
  Bytes draft_buffers{};
  Bytes adapters{};
  Bytes vision_weights{};
  Bytes image{};  // while a picture is encoded

  Bytes total() const;
  std::vector<EngineMemoryPart> parts() const;
};

// Low-rank adapters in 16 bit: rank x (columns + rows) of every targeted matrix. `attention_only` leaves the MLP out;
// routed experts are never targeted.
// Example (Llama 3.1 8B, rank 16, every matrix): 32 layers x 16 x (2 x (4,096 + 4,096) + 2 x (4,096 + 1,024) + 3 x
// (4,096 + 14,336)) x 2 B = 83.9 MB = 80 MiB.
Bytes adapter_bytes(const ModelSpec& model, int rank, bool attention_only);

// A vision transformer, of which only widths matter here.
struct VisionTower {
  Bytes weights{};
  double hidden = 1152;
  double feed_forward = 4304;
  double heads = 16;
  double patches_per_token = 4;  // merged into one token of the language model
  bool flash_attention = true;
};

// What encoding one picture takes for a moment, fp32 temporaries of all its patches at once: patches x 4 B x (3
// feed_forward + 3 hidden), and heads x patches^2 x 4 B of scores without flash attention.
// Example: 7,600 tokens are 30,400 patches: 30,400 x 4 x (3 x 4,304 + 3 x 1,152) B = 1.85 GiB.
Bytes image_bytes(const VisionTower& tower, double image_tokens);

}  // namespace oblea
