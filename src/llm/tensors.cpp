#include "llm/tensors.hpp"

namespace oblea {
namespace {

void add_matrix(std::vector<Tensor>& tensors, TensorRole role, std::int64_t columns, std::int64_t rows) {
  if (columns > 0 && rows > 0) tensors.push_back({role, columns, rows});
}

void add_vector(std::vector<Tensor>& tensors, std::int64_t width) { add_matrix(tensors, TensorRole::norm, width, 1); }

std::int64_t value_width(const Attention& a) { return a.v_head_dim > 0 ? a.v_head_dim : a.head_dim; }

// Llama, Qwen, Gemma: Q, K, V and output projections. Example (Llama 3.3 70B, hidden 8192, 64 heads of 128, 8 KV
// heads): 8192 x 8192 + 2 x 8192 x 1024 + 8192 x 8192 = 150,994,944 weights.
std::vector<Tensor> grouped_query(const Attention& a, std::int64_t hidden) {
  std::vector<Tensor> t;
  const std::int64_t q = std::int64_t{a.heads} * a.head_dim;
  const std::int64_t k = std::int64_t{a.kv_heads} * a.head_dim;
  const std::int64_t v = a.k_equals_v ? 0 : a.kv_heads * value_width(a);
  const std::int64_t out = a.heads * value_width(a);
  add_matrix(t, TensorRole::attention_q, hidden, q + (a.output_gate ? out : 0));
  add_matrix(t, TensorRole::attention_k, hidden, k);
  add_matrix(t, TensorRole::attention_v, hidden, v);
  add_matrix(t, TensorRole::attention_output, out, hidden);
  if (a.qkv_bias) add_vector(t, q + k + v);
  if (a.output_bias) add_vector(t, hidden);
  if (a.qk_norm) add_vector(t, 2 * std::int64_t{a.head_dim});
  if (a.sinks) add_vector(t, a.heads);
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

// Mamba 2: one projection to (gate, x, B, C, dt), a short convolution, one projection back.
std::vector<Tensor> state_space(const Attention& a, std::int64_t hidden) {
  std::vector<Tensor> t;
  const std::int64_t inner = std::int64_t{a.value_heads} * a.value_dim;
  const std::int64_t channels = inner + 2 * std::int64_t{a.key_heads} * a.key_dim;
  add_matrix(t, TensorRole::linear_state, hidden, inner + channels + a.value_heads);
  add_matrix(t, TensorRole::linear_state, inner, hidden);
  add_vector(t, channels * (a.conv_kernel + 1));
  add_vector(t, 3 * std::int64_t{a.value_heads} + inner);
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
  }
  return t;
}

std::vector<Tensor> layer_tensors(const Layer& layer, std::int64_t hidden) {
  std::vector<Tensor> tensors = attention_tensors(layer.attention, hidden);
  const std::vector<Tensor> mlp = mlp_tensors(layer.mlp, hidden);
  tensors.insert(tensors.end(), mlp.begin(), mlp.end());
  add_vector(tensors, layer.norms * hidden);
  return tensors;
}

}  // namespace oblea
