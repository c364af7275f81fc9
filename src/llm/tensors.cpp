#include "llm/tensors.hpp"

namespace oblea {
namespace {

void add_matrix(std::vector<Tensor>& tensors, TensorRole role, std::int64_t columns, std::int64_t rows) {
  if (columns > 0 && rows > 0) tensors.push_back({role, columns, rows});
}

void add_vector(std::vector<Tensor>& tensors, std::int64_t width) { add_matrix(tensors, TensorRole::norm, width, 1); }

std::int64_t value_width(const Attention& a) { return a.v_head_dim > 0 ? a.v_head_dim : a.head_dim; }

// The indexer of sparse attention: queries from `query_width`, one key and, in DeepSeek's, a weight a head from hidden.
// Example (GLM-5, 32 heads of 128 from a Q of rank 2048, hidden 6144): 8,388,608 + 786,432 + 196,608 weights.
void add_indexer(std::vector<Tensor>& t, const Attention& a, std::int64_t hidden, std::int64_t query_width) {
  if (a.index_heads <= 0) return;
  add_matrix(t, TensorRole::linear_state, query_width, std::int64_t{a.index_heads} * a.index_dim);
  add_matrix(t, TensorRole::linear_state, hidden, a.index_dim);
  if (a.kind == AttentionKind::latent) add_matrix(t, TensorRole::linear_state, hidden, a.index_heads);
  add_vector(t, 2 * std::int64_t{a.index_dim});
}

// Llama, Qwen, Gemma: Q, K, V and output projections. Example (Llama 3.3 70B, hidden 8192, 64 heads of 128, 8 KV
// heads): 8192 x 8192 + 2 x 8192 x 1024 + 8192 x 8192 = 150,994,944 weights.
std::vector<Tensor> grouped_query(const Attention& a, std::int64_t hidden) {
  std::vector<Tensor> t;
  const std::int64_t q = std::int64_t{a.heads} * a.head_dim;
  const std::int64_t k = a.shares_kv ? 0 : std::int64_t{a.kv_heads} * a.head_dim;
  const std::int64_t v = a.shares_kv || a.k_equals_v ? 0 : a.kv_heads * value_width(a);
  const std::int64_t out = a.heads * value_width(a);
  add_matrix(t, TensorRole::attention_q, hidden, q + (a.output_gate ? out : 0));
  add_matrix(t, TensorRole::attention_k, hidden, k);
  add_matrix(t, TensorRole::attention_v, hidden, v);
  add_matrix(t, TensorRole::attention_output, out, hidden);
  if (a.qkv_bias) add_vector(t, q + k + v);
  if (a.output_bias) add_vector(t, hidden);
  if (a.qk_norm) add_vector(t, 2 * std::int64_t{a.head_dim});
  if (a.sinks) add_vector(t, a.heads);
  add_indexer(t, a, hidden, hidden);
  return t;
}

// DeepSeek's latent attention: Q through a rank-q_lora bottleneck, K and V from one cached vector of kv_lora + rope.
// K and V expansions are two tensors, as GGUF stores them: the one for K has a head's `nope` as its columns.
std::vector<Tensor> latent(const Attention& a, std::int64_t hidden) {
  std::vector<Tensor> t;
  const std::int64_t heads = a.heads;
  const std::int64_t q = heads * (a.nope_dim + a.rope_dim);
  const std::int64_t out = heads * value_width(a);
  if (a.q_lora_rank > 0) {
    add_matrix(t, TensorRole::latent_projection, hidden, a.q_lora_rank);
    add_matrix(t, TensorRole::latent_projection, a.q_lora_rank, q);
    add_vector(t, a.q_lora_rank);
  } else {
    add_matrix(t, TensorRole::attention_q, hidden, q);
  }
  add_matrix(t, TensorRole::latent_projection, hidden, a.kv_lora_rank + a.rope_dim);
  add_vector(t, a.kv_lora_rank);
  add_matrix(t, TensorRole::latent_projection, a.nope_dim, heads * a.kv_lora_rank);
  add_matrix(t, TensorRole::latent_projection, a.kv_lora_rank, out);
  add_matrix(t, TensorRole::attention_output, out, hidden);
  if (a.output_gate) add_matrix(t, TensorRole::linear_state, hidden, out);
  add_indexer(t, a, hidden, a.q_lora_rank > 0 ? a.q_lora_rank : hidden);
  return t;
}

// DeepSeek V4's compressor of `width`: two projections, for the values and for the gates that weigh the tokens of an
// entry, each twice as wide where windows overlap (with an indexer), and a bias a position.
void add_compressor(std::vector<Tensor>& t, const Attention& a, std::int64_t hidden, std::int64_t width) {
  const std::int64_t wide = width * (a.index_heads > 0 ? 2 : 1);
  add_matrix(t, TensorRole::latent_projection, hidden, wide);
  add_matrix(t, TensorRole::latent_projection, hidden, wide);
  add_vector(t, wide * a.compress_ratio + width);
}

// DeepSeek V4: one head of K that is V as well, queries through a bottleneck, a grouped low-rank output, and the
// compressor of older tokens. Example (V4 Pro without compressor: hidden 7168, 128 heads of 512, Q rank 1536, 16
// groups of rank 1024): 7168 x 1536 + 1536 x 65,536 + 7168 x 512 + 4096 x 16,384 + 16,384 x 7168 = 299.9 M weights.
std::vector<Tensor> compressed(const Attention& a, std::int64_t hidden) {
  std::vector<Tensor> t;
  const std::int64_t q = std::int64_t{a.heads} * a.head_dim;
  const std::int64_t query_width = a.q_lora_rank > 0 ? a.q_lora_rank : hidden;
  if (a.q_lora_rank > 0) {
    add_matrix(t, TensorRole::latent_projection, hidden, a.q_lora_rank);
    add_vector(t, a.q_lora_rank);
  }
  add_matrix(t, TensorRole::latent_projection, query_width, q);
  add_matrix(t, TensorRole::latent_projection, hidden, a.head_dim);
  add_vector(t, a.head_dim);
  if (a.output_groups > 0) {
    const std::int64_t narrowed = std::int64_t{a.output_groups} * a.output_rank;
    add_matrix(t, TensorRole::attention_output, q / a.output_groups, narrowed);
    add_matrix(t, TensorRole::attention_output, narrowed, hidden);
  } else {
    add_matrix(t, TensorRole::attention_output, q, hidden);
  }
  if (a.sinks) add_vector(t, a.heads);
  if (a.compress_ratio <= 0) return t;
  add_compressor(t, a, hidden, a.head_dim);
  if (a.index_heads <= 0) return t;
  add_compressor(t, a, hidden, a.index_dim);
  add_matrix(t, TensorRole::linear_state, query_width, std::int64_t{a.index_heads} * a.index_dim);
  add_matrix(t, TensorRole::linear_state, hidden, a.index_heads);
  return t;
}

// Kimi delta attention (gate_rank > 0: decay by channel through a low rank) and gated delta net (decay by head).
// Example (Kimi K3, hidden 7168, 96 heads of 128, full-rank output gate): 443.9 M weights.
std::vector<Tensor> delta_rule(const Attention& a, std::int64_t hidden) {
  std::vector<Tensor> t;
  const std::int64_t keys = std::int64_t{a.key_heads} * a.key_dim;
  const std::int64_t values = std::int64_t{a.value_heads} * a.value_dim;
  add_matrix(t, TensorRole::attention_q, hidden, keys);
  add_matrix(t, TensorRole::attention_k, hidden, keys);
  add_matrix(t, TensorRole::attention_v, hidden, values);
  add_matrix(t, TensorRole::linear_state, hidden, a.value_heads);  // beta: how much of the state a token overwrites
  if (a.gate_rank > 0) {
    add_matrix(t, TensorRole::linear_state, hidden, a.gate_rank);
    add_matrix(t, TensorRole::linear_state, a.gate_rank, std::int64_t{a.value_heads} * a.key_dim);
    add_vector(t, std::int64_t{a.value_heads} * a.key_dim);
  } else {
    add_matrix(t, TensorRole::linear_state, hidden, a.value_heads);
    add_vector(t, a.value_heads);
  }
  if (a.output_gate) {
    add_matrix(t, TensorRole::linear_state, hidden, values);
  } else if (a.gate_rank > 0) {
    add_matrix(t, TensorRole::linear_state, hidden, a.gate_rank);
    add_matrix(t, TensorRole::linear_state, a.gate_rank, values);
  }
  add_matrix(t, TensorRole::attention_output, values, hidden);
  add_vector(t, (2 * keys + values) * a.conv_kernel);
  add_vector(t, a.value_heads + a.value_dim);
  return t;
}

// Mamba 1: (gate, x) from hidden, (dt, B, C) from x, dt widened again. Example (Jamba, hidden 4096, inner 8192, state
// 16, dt rank 256): 4096 x 16,384 + 8192 x 288 + 256 x 8192 + 8192 x 4096 = 105.1 M weights.
std::vector<Tensor> selective_scan(const Attention& a, std::int64_t hidden) {
  std::vector<Tensor> t;
  const std::int64_t inner = std::int64_t{a.value_heads} * a.value_dim;
  add_matrix(t, TensorRole::linear_state, hidden, 2 * inner);
  add_matrix(t, TensorRole::linear_state, inner, a.dt_rank + 2 * std::int64_t{a.key_dim});
  add_matrix(t, TensorRole::linear_state, a.dt_rank, inner);
  add_matrix(t, TensorRole::linear_state, inner, hidden);
  add_vector(t, inner * (a.conv_kernel + 1));
  add_vector(t, inner * (a.key_dim + 2));
  return t;
}

// Mamba 2: one projection to (gate, x, B, C, dt), a short convolution, one projection back.
std::vector<Tensor> state_space(const Attention& a, std::int64_t hidden) {
  if (a.dt_rank > 0) return selective_scan(a, hidden);
  std::vector<Tensor> t;
  const std::int64_t inner = std::int64_t{a.value_heads} * a.value_dim;
  const std::int64_t channels = inner + 2 * std::int64_t{a.key_heads} * a.key_dim;
  add_matrix(t, TensorRole::linear_state, hidden, inner + channels + a.value_heads);
  add_matrix(t, TensorRole::linear_state, inner, hidden);
  add_vector(t, channels * (a.conv_kernel + 1));
  add_vector(t, 3 * std::int64_t{a.value_heads} + inner);
  return t;
}

// LFM2: (gate, gate, x) from hidden, a short convolution over x, one projection back.
// Example (hidden 2048, 3 taps): 2048 x 6144 + 2048 x 2048 + 3 x 2048 = 16,783,360 weights.
std::vector<Tensor> short_convolution(const Attention& a, std::int64_t hidden) {
  std::vector<Tensor> t;
  add_matrix(t, TensorRole::linear_state, hidden, 3 * std::int64_t{a.value_dim});
  add_matrix(t, TensorRole::linear_state, a.value_dim, hidden);
  add_vector(t, std::int64_t{a.value_dim} * a.conv_kernel);
  return t;
}

void add_feed_forward(std::vector<Tensor>& t, const Mlp& mlp, std::int64_t hidden, std::int64_t width) {
  if (mlp.gated) add_matrix(t, TensorRole::mlp_gate, hidden, width);
  add_matrix(t, TensorRole::mlp_up, hidden, width);
  add_matrix(t, TensorRole::mlp_down, width, hidden);
  if (mlp.bias) add_vector(t, width * (mlp.gated ? 2 : 1) + hidden);
}

void add_routed_experts(std::vector<Tensor>& t, const Mlp& mlp, std::int64_t width) {
  const std::int64_t copies = mlp.experts;
  if (mlp.gated) t.push_back({TensorRole::expert_gate, width, mlp.intermediate, copies, true});
  t.push_back({TensorRole::expert_up, width, mlp.intermediate, copies, true});
  t.push_back({TensorRole::expert_down, mlp.intermediate, width, copies, true});
  if (mlp.bias) t.push_back({TensorRole::norm, mlp.intermediate * (mlp.gated ? 2 : 1) + width, 1, copies, true});
}

// Example (Kimi K3): 896 experts of 3 x 3584 x 3072 = 33.03 M weights behind two 7168 x 3584 projections.
std::vector<Tensor> mixture_of_experts(const Mlp& mlp, std::int64_t hidden) {
  std::vector<Tensor> t;
  const std::int64_t width = mlp.expert_hidden > 0 ? mlp.expert_hidden : hidden;
  add_matrix(t, TensorRole::router, hidden, mlp.experts);
  if (mlp.bias) add_vector(t, mlp.experts);
  add_routed_experts(t, mlp, width);
  if (width != hidden) {
    add_matrix(t, TensorRole::shared_expert, hidden, width);
    add_matrix(t, TensorRole::shared_expert, width, hidden);
  }
  if (mlp.shared_intermediate > 0) {
    if (mlp.gated) add_matrix(t, TensorRole::shared_expert, hidden, mlp.shared_intermediate);
    add_matrix(t, TensorRole::shared_expert, hidden, mlp.shared_intermediate);
    add_matrix(t, TensorRole::mlp_down, mlp.shared_intermediate, hidden);
  }
  if (mlp.dense_intermediate > 0) add_feed_forward(t, mlp, hidden, mlp.dense_intermediate);
  return t;
}

}  // namespace

std::vector<Tensor> attention_tensors(const Attention& attention, std::int64_t hidden) {
  switch (attention.kind) {
    case AttentionKind::none:
      return {};
    case AttentionKind::full:
    case AttentionKind::sliding:
      return grouped_query(attention, hidden);
    case AttentionKind::latent:
      return latent(attention, hidden);
    case AttentionKind::linear:
      return delta_rule(attention, hidden);
    case AttentionKind::ssm:
      return state_space(attention, hidden);
    case AttentionKind::conv:
      return short_convolution(attention, hidden);
    case AttentionKind::compressed:
      return compressed(attention, hidden);
    case AttentionKind::projection:
      return {{TensorRole::attention_output, hidden, hidden}};
  }
  return {};
}

std::vector<Tensor> mlp_tensors(const Mlp& mlp, std::int64_t hidden) {
  std::vector<Tensor> t;
  switch (mlp.kind) {
    case MlpKind::none:
      return t;
    case MlpKind::dense:
      add_feed_forward(t, mlp, hidden, mlp.intermediate);
      return t;
    case MlpKind::moe:
      return mixture_of_experts(mlp, hidden);
    case MlpKind::projection:
      add_matrix(t, TensorRole::mlp_down, hidden, hidden);
      return t;
  }
  return t;
}

std::vector<Tensor> layer_tensors(const Layer& layer, std::int64_t hidden) {
  std::vector<Tensor> tensors = attention_tensors(layer.attention, hidden);
  const std::vector<Tensor> beside = attention_tensors(layer.beside, hidden);
  const std::vector<Tensor> mlp = mlp_tensors(layer.mlp, hidden);
  tensors.insert(tensors.end(), beside.begin(), beside.end());
  tensors.insert(tensors.end(), mlp.begin(), mlp.end());
  add_matrix(tensors, TensorRole::linear_state, hidden, layer.side_width);
  add_matrix(tensors, TensorRole::linear_state, layer.side_width, hidden);
  add_vector(tensors, layer.norms * hidden);
  return tensors;
}

}  // namespace oblea
