// Latent attention of a GGUF: DeepSeek's MLA and the compressed attention of DeepSeek V4.
#pragma once

#include "io/gguf/blocks.hpp"
#include "io/gguf/plan.hpp"
#include "llm/model_spec.hpp"

namespace oblea {

// One latent vector a token is cached where the file holds K's expansion by head (attn_k_b, or a key of that layout).
// A file that holds it as one matrix (attn_kv_b) is run with K and V of every head in the cache, and is read as that.
// Source: llama.cpp, llama-hparams.cpp `is_mla` and src/models/deepseek2.cpp, read 2026-11.
Attention read_latent(GgufKeys& keys, const GgufPlan& plan, int layer, const GgufBlock& block);

Attention read_compressed(GgufKeys& keys, const GgufPlan& plan, int layer, const GgufBlock& block);

}  // namespace oblea
