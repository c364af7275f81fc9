// Layers of a GGUF that keep a state of fixed size instead of a cache: delta rules, Mamba, RWKV, short convolutions.
#pragma once

#include "io/gguf/blocks.hpp"
#include "io/gguf/plan.hpp"
#include "llm/model_spec.hpp"

namespace oblea {

// Gated delta net (Qwen3-Next): the ssm keys hold its heads. Example: group_count 16 heads of K, time_step_rank 32
// heads of V, state_size 128, inner_size 4096 = 32 x 128.
Attention read_delta(GgufKeys& keys);

// Kimi delta attention: as many heads of K as of V, each as wide as kda.head_dim.
Attention read_kimi_delta(GgufKeys& keys, const GgufPlan& plan, int layer, const GgufBlock& block);

// Mamba 2, or Mamba 1 where the step has a projection of its own (ssm_x) or there are no groups.
Attention read_mamba(GgufKeys& keys, const GgufBlock& block);

Attention read_convolution(GgufKeys& keys, const GgufPlan& plan, const GgufBlock& block);

// RWKV's state as that of a linear attention with heads of wkv.head_size, and two shifted tokens.
Attention read_rwkv(GgufKeys& keys, const GgufPlan& plan);

}  // namespace oblea
