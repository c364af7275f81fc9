#include "io/gguf/latent.hpp"

#include <fmt/core.h>

#include "io/gguf/attention.hpp"

namespace oblea {
namespace {

std::int64_t integer_or_0(GgufKeys& keys, const char* key) { return keys.integer(key).value_or(0); }

// What the tensors say, or the key; named where neither does.
int require(GgufKeys& keys, std::int64_t counted, const char* key, const char* what, const char* example) {
  const std::int64_t value = counted > 0 ? counted : integer_or_0(keys, key);
  if (value <= 0) keys.missing(key, what, example);
  return keys.width(value, what);
}

void read_indexer(GgufKeys& keys, Attention& attention) {
  attention.index_heads = require(keys, 0, "attention.indexer.head_count", "heads of the indexer", "64");
  attention.index_dim = require(keys, 0, "attention.indexer.key_length", "the width of the indexer's keys", "128");
  attention.index_top = keys.width(integer_or_0(keys, "attention.indexer.top_k"), "the indexer's picks");
}

// K and V of every head.
Attention expand(GgufKeys& keys, Attention latent) {
  latent.kind = AttentionKind::full;
  latent.kv_heads = latent.heads;
  latent.head_dim = latent.nope_dim + latent.rope_dim;
  const int cached = latent.kv_heads * (latent.head_dim + latent.v_head_dim);
  keys.warn(
      fmt::format("the file holds the expansion of K and V as one matrix, so that llama.cpp caches K and V of every "
                  "head: {} numbers a token and layer instead of {}",
                  cached, latent.kv_lora_rank + latent.rope_dim),
      "a file converted after April 2025 caches the latent vector", "expanded latent attention");
  latent.q_lora_rank = latent.kv_lora_rank = latent.nope_dim = latent.rope_dim = 0;
  return latent;
}

}  // namespace

Attention read_latent(GgufKeys& keys, const GgufPlan& plan, int layer, const GgufBlock& block) {
  Attention a;
  a.kind = AttentionKind::latent;
  a.heads = block.matrices("attn_k_b.weight") > 0 ? keys.width(block.matrices("attn_k_b.weight"), "attention heads")
                                                  : require_heads(keys, plan, layer);
  a.kv_lora_rank = require(keys, block.columns("attn_kv_a_norm.weight"), "attention.kv_lora_rank",
                           "the width of the latent vector", "512");
  a.rope_dim = require(keys, block.rows("attn_kv_a_mqa.weight") - a.kv_lora_rank, "rope.dimension_count",
                       "the rotary part of a key", "64");
  a.q_lora_rank = keys.width(block.has("attn_q_a.weight") ? block.rows("attn_q_a.weight")
                             : block.has("attn_q.weight") ? 0
                                                          : integer_or_0(keys, "attention.q_lora_rank"),
                             "the rank of Q");
  const bool by_head = block.has("attn_k_b.weight") || keys.has("attention.key_length_mla") ||
                       integer_or_0(keys, "attention.key_length") == a.kv_lora_rank + a.rope_dim;
  const char* key_width = keys.has("attention.key_length_mla") ? "attention.key_length_mla" : "attention.key_length";
  const char* value_width =
      keys.has("attention.value_length_mla") ? "attention.value_length_mla" : "attention.value_length";
  const std::int64_t nope = block.columns("attn_k_b.weight");
  const int head = require(keys, nope > 0 ? nope + a.rope_dim : 0, key_width, "the width of a head's K", "192");
  a.nope_dim = std::max(0, head - a.rope_dim);
  a.v_head_dim = require(keys, block.rows("attn_v_b.weight"), value_width, "the width of a head's V", "128");
  const bool indexed = is_telling(block) ? block.has_any("indexer.") : keys.has("attention.indexer.head_count");
  if (indexed) read_indexer(keys, a);
  return by_head ? a : expand(keys, a);
}

Attention read_compressed(GgufKeys& keys, const GgufPlan& plan, int layer, const GgufBlock& block) {
  Attention a;
  a.kind = AttentionKind::compressed;
  a.heads = require_heads(keys, plan, layer);
  a.kv_heads = 1;
  a.head_dim = require(keys, block.rows("attn_kv.weight"), "attention.key_length", "the width of a head", "512");
  a.window = require(keys, 0, "attention.sliding_window", "the window", "128");
  a.q_lora_rank = keys.width(integer_or_0(keys, "attention.q_lora_rank"), "the rank of Q");
  a.output_groups = keys.width(integer_or_0(keys, "attention.output_group_count"), "output groups");
  a.output_rank = keys.width(integer_or_0(keys, "attention.output_lora_rank"), "the rank of the output");
  a.sinks = block.has_any("attn_sinks");
  if (plan.compress_ratios.empty()) {
    keys.missing("attention.compress_ratios", "tokens that an entry of each layer stands for", "[0,0,4,128]");
    return a;
  }
  a.compress_ratio = static_cast<int>(plan.compress_ratios[static_cast<std::size_t>(layer)]);
  // Entries of 4 tokens are picked by an indexer, those of 128 are all read (DeepSeek V4).
  constexpr int kIndexedRatio = 4;
  const bool indexed = is_telling(block) ? block.has_any("indexer") : a.compress_ratio == kIndexedRatio;
  if (indexed) read_indexer(keys, a);
  return a;
}

}  // namespace oblea
