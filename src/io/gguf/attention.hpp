// The attention of one layer of a GGUF, or what stands in its place: from the names and shapes of its tensors, and from
// the keys where there are no tensors.
#pragma once

#include "io/gguf/blocks.hpp"
#include "io/gguf/plan.hpp"
#include "llm/model_spec.hpp"

namespace oblea {

struct GgufMixers {
  Attention main{.kind = AttentionKind::none};
  Attention beside{.kind = AttentionKind::none};  // a Mamba of the same input (Falcon H1)
};

// `block` is empty where the file holds no tensors of the layer. What is missing becomes a fault of the keys.
GgufMixers read_mixers(GgufKeys& keys, const GgufPlan& plan, int layer, const GgufBlock& block);

// Whether any tensor has a name from which geometry can be read.
bool is_telling(const GgufBlock& block);

// Query heads of a layer: by its key. Names the key where it is missing.
int require_heads(GgufKeys& keys, const GgufPlan& plan, int layer);

}  // namespace oblea
