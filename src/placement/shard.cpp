#include "placement/shard.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/check.hpp"

namespace oblea {
namespace {

constexpr std::int64_t kVocabularyMultiple = 64;  // vLLM pads to this

Bytes divide_up(Bytes bytes, double parts) { return Bytes(std::ceil(bytes.value() / parts)); }

// Norms and router of a layer. Example (hidden 7,168, 896 experts): 2 x 7,168 x 2 + 7,168 x 896 x 2 = 12.9 MB.
Bytes replicated_bytes(const LayerFootprint& layer, std::int64_t hidden) {
  const double vectors = 2.0 + layer.experts;
  const double sixteen_bit = 2.0 * vectors * static_cast<double>(hidden);
  const double fp32 = layer.trunk_read.bytes[static_cast<std::size_t>(TensorFormat::f32)];
  const Bytes trunk = layer.weights - layer.expert_weights;
  return std::min(trunk, Bytes(std::max(sixteen_bit, fp32)));
}

void scale(FormatBytes& bytes, double factor) {
  for (double& b : bytes.bytes) b *= factor;
}

// Every shard keeps all of it: there is nothing to divide.
bool has_one_latent_head(const LayerFootprint& layer) {
  return layer.attention == AttentionKind::latent || layer.attention == AttentionKind::compressed;
}

// The part of a token's KV that one shard keeps. Examples: 8 KV heads on 4: 1/4; on 16: 1/8; latent: 1.
double kv_share(const LayerFootprint& layer, int devices) {
  if (has_one_latent_head(layer)) return 1.0;
  return 1.0 / std::min(devices, std::max(layer.kv_heads, 1));
}

bool has_kv_heads(const LayerFootprint& layer) {
  return layer.attention == AttentionKind::full || layer.attention == AttentionKind::sliding;
}

DoesNotFit broken_rule(WhyNot why, const LayerFootprint& layer, int index, int devices) {
  DoesNotFit no;
  no.why = why;
  no.group = devices;
  no.heads = layer.heads;
  no.kv_heads = layer.kv_heads;
  no.layer = index;
  return no;
}

}  // namespace

std::optional<DoesNotFit> check_shards(const ModelFootprint& model, int devices) {
  OBLEA_CHECK(devices >= 1, "a group has devices");
  for (std::size_t i = 0; i < model.layers.size(); ++i) {
    const LayerFootprint& layer = model.layers[i];
    const int index = static_cast<int>(i);
    if (layer.heads % devices != 0) return broken_rule(WhyNot::heads_do_not_divide, layer, index, devices);
    if (!has_kv_heads(layer) || layer.kv_heads <= 0) continue;
    if (layer.kv_heads % devices != 0 && devices % layer.kv_heads != 0) {
      return broken_rule(WhyNot::kv_heads_do_not_divide, layer, index, devices);
    }
  }
  return std::nullopt;
}

LayerFootprint shard_layer(const LayerFootprint& layer, std::int64_t hidden, int devices) {
  const double n = devices;
  LayerFootprint shard = layer;
  const Bytes trunk = layer.weights - layer.expert_weights;
  const Bytes replicated = replicated_bytes(layer, hidden);
  const Bytes shard_trunk = replicated + divide_up(trunk - replicated, n);
  shard.expert_weights = divide_up(layer.expert_weights, n);
  shard.weights = shard_trunk + shard.expert_weights;
  if (trunk.value() > 0) scale(shard.trunk_read, shard_trunk / trunk);
  scale(shard.expert_read, 1.0 / n);
  // Keys of a sparse attention's indexer are one head: every shard keeps them.
  shard.kv_per_token = (layer.kv_per_token - layer.index_per_token) * kv_share(layer, devices) + layer.index_per_token;
  if (!has_one_latent_head(layer)) shard.state_per_request = divide_up(layer.state_per_request, n);
  shard.flops_per_token = layer.flops_per_token / n;
  shard.flops_per_cached_token = layer.flops_per_cached_token / n;
  shard.prefill_flops_per_cached_token = layer.prefill_flops_per_cached_token / n;
  shard.index_flops_per_cached_token = layer.index_flops_per_cached_token / n;
  shard.heads = layer.heads / devices;
  if (has_kv_heads(layer)) shard.kv_heads = std::max(1, layer.kv_heads / devices);
  shard.widest_matrix_rows = layer.widest_matrix_rows / n;
  return shard;
}

ModelFootprint shard_model(const ModelFootprint& model, int devices) {
  if (devices == 1) return model;
  ModelFootprint shard = model;
  for (LayerFootprint& layer : shard.layers) layer = shard_layer(layer, model.hidden, devices);
  const std::int64_t multiple = std::lcm(kVocabularyMultiple, std::int64_t{devices});
  const std::int64_t padded = (model.vocabulary + multiple - 1) / multiple * multiple;
  const double share = model.vocabulary > 0 ? double(padded) / double(model.vocabulary) / devices : 1.0 / devices;
  shard.embedding = Bytes(std::ceil(model.embedding.value() * share));
  shard.head = Bytes(std::ceil(model.head.value() * share));
  scale(shard.head_read, share);
  shard.head_flops_per_token = model.head_flops_per_token * share;
  return shard;
}

}  // namespace oblea
