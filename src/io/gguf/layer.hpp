// One layer of a GGUF: its attention, its feed-forward part, its norms.
#pragma once

#include "io/gguf/blocks.hpp"
#include "io/gguf/plan.hpp"
#include "llm/model_spec.hpp"

namespace oblea {

// `block` is empty where the file holds no tensors of the layer. Faults of the keys: what is missing, and widths beyond
// kMaxGgufWidth, whose products would leave 64 bits.
Layer read_gguf_layer(GgufKeys& keys, const GgufPlan& plan, int index, const GgufBlock& block);

}  // namespace oblea
