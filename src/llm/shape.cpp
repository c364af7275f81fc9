#include "llm/shape.hpp"

#include <algorithm>

namespace oblea {
namespace {

void widen(double& width, double other) { width = std::max(width, other); }

void add_attention(ModelShape& shape, const Attention& a) {
  const double value_dim = a.v_head_dim > 0 ? a.v_head_dim : a.head_dim;
  switch (a.kind) {
    case AttentionKind::full:
      shape.keeps_context = true;
      widen(shape.query, double(a.heads) * a.head_dim);
      widen(shape.value, a.kv_heads * value_dim);
      widen(shape.heads, a.heads);
      return;
    case AttentionKind::sliding:
      widen(shape.query, double(a.heads) * a.head_dim);
      widen(shape.value, a.kv_heads * value_dim);
      widen(shape.window_heads, a.heads);
      widen(shape.window, a.window);
      return;
    case AttentionKind::latent:
    case AttentionKind::compressed:
      shape.keeps_context = true;
      widen(shape.query, double(a.heads) * (a.nope_dim + a.rope_dim > 0 ? a.nope_dim + a.rope_dim : a.head_dim));
      widen(shape.latent, a.heads * (2.0 * a.kv_lora_rank + a.rope_dim));
      widen(shape.heads, a.heads);
      return;
    case AttentionKind::linear:
    case AttentionKind::ssm:
      shape.has_recurrent_layers = true;
      return;
    case AttentionKind::none:
    case AttentionKind::conv:
    case AttentionKind::projection:
      return;
  }
}

void add_mlp(ModelShape& shape, const Mlp& mlp) {
  if (mlp.kind == MlpKind::dense) widen(shape.feed_forward, double(mlp.intermediate));
  if (mlp.kind != MlpKind::moe) return;
  const double width = mlp.expert_hidden > 0 ? double(mlp.expert_hidden) : shape.hidden;
  widen(shape.expert, double(mlp.active_experts) * double(mlp.intermediate));
  widen(shape.expert_output, mlp.active_experts * width);
  widen(shape.feed_forward, double(std::max(mlp.shared_intermediate, mlp.dense_intermediate)));
}

}  // namespace

ModelShape make_shape(const ModelSpec& model) {
  ModelShape shape;
  shape.hidden = double(model.hidden);
  shape.vocabulary = double(model.vocabulary);
  for (const Layer& layer : model.layers) {
    add_attention(shape, layer.attention);
    add_attention(shape, layer.beside);
    add_mlp(shape, layer.mlp);
  }
  return shape;
}

}  // namespace oblea
