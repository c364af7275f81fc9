#include "llm/parameters.hpp"

#include "llm/tensors.hpp"

namespace oblea {
namespace {

std::int64_t sum_weights(const std::vector<Tensor>& tensors) {
  std::int64_t sum = 0;
  for (const Tensor& tensor : tensors) sum += tensor.weights();
  return sum;
}

}  // namespace

std::int64_t attention_parameters(const Attention& attention, std::int64_t hidden) {
  return sum_weights(attention_tensors(attention, hidden));
}

std::int64_t expert_parameters(const Mlp& mlp, std::int64_t hidden) {
  std::int64_t sum = 0;
  for (const Tensor& tensor : mlp_tensors(mlp, hidden)) {
    if (tensor.routed) sum += tensor.columns * tensor.rows;
  }
  return sum;
}

std::int64_t layer_parameters(const Layer& layer, std::int64_t hidden) {
  return sum_weights(layer_tensors(layer, hidden));
}

std::int64_t active_layer_parameters(const Layer& layer, std::int64_t hidden) {
  const std::int64_t idle_experts = layer.mlp.kind == MlpKind::moe ? layer.mlp.experts - layer.mlp.active_experts : 0;
  return layer_parameters(layer, hidden) - idle_experts * expert_parameters(layer.mlp, hidden);
}

std::int64_t embedding_parameters(const ModelSpec& model) { return model.vocabulary * model.hidden; }

std::int64_t head_parameters(const ModelSpec& model) {
  return model.tied_embeddings ? 0 : model.vocabulary * model.hidden;
}

std::int64_t total_parameters(const ModelSpec& model) {
  std::int64_t sum = embedding_parameters(model) + head_parameters(model) + model.hidden;  // and the final norm
  for (const Layer& layer : model.layers) sum += layer_parameters(layer, model.hidden);
  return sum;
}

std::int64_t active_parameters(const ModelSpec& model) {
  std::int64_t sum = model.vocabulary * model.hidden + model.hidden;
  for (const Layer& layer : model.layers) sum += active_layer_parameters(layer, model.hidden);
  return sum;
}

}  // namespace oblea
