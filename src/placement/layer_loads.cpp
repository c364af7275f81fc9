#include "placement/layer_loads.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/check.hpp"

namespace oblea {
namespace {

double whole_blocks(double tokens, const CacheRules& rules) {
  const double block = rules.block.value();
  return std::ceil(tokens / block) * block;
}

// Tokens that a layer keeps at most. Example: window 1024 and a micro-batch of 512: 1536.
double tokens_max(const LayerFootprint& layer, const CacheRules& rules) {
  if (layer.window <= 0 || !rules.respects_windows) return std::numeric_limits<double>::infinity();
  return whole_blocks(static_cast<double>(layer.window) + rules.window_extra.value(), rules);
}

// The page that every layer with a cache takes where the engine knows one size only; 0 where all are equal anyway.
double common_page(const ModelFootprint& model, const CacheRules& rules) {
  if (!rules.one_page_size) return 0;
  double least = std::numeric_limits<double>::infinity();
  double most = 0;
  for (const LayerFootprint& layer : model.layers) {
    const double page = layer.kv_per_token.value();
    if (page <= 0) continue;
    least = std::min(least, page);
    most = std::max(most, page);
  }
  return least < most ? most : 0;
}

}  // namespace

LayerLoads::LayerLoads(const ModelFootprint& model, const CacheDemand& demand) : demand_(demand) {
  OBLEA_CHECK(!model.layers.empty(), "a model has layers");
  OBLEA_CHECK(demand.context.value() >= 0 && demand.concurrency >= 0, "a demand is not negative");
  OBLEA_CHECK(demand.rules.block.value() >= 1, "a KV block holds at least one token");
  const std::size_t layers = model.layers.size();
  memory_.resize(layers + 1);
  read_.resize(layers + 1);
  weights_.resize(layers + 1);
  state_.resize(layers + 1);
  const double held = tokens_held(demand.context);
  const double page = common_page(model, demand.rules);
  if (page > 0) demand_.rules.respects_windows = false;
  if (demand.rules.embedding_on_host) embedding_on_host_ = model.embedding;
  for (std::size_t i = 0; i < layers; ++i) {
    const LayerFootprint& layer = model.layers[i];
    double weights = layer.weights.value();
    double read = weight_read(layer, std::max(demand.concurrency, 1.0)).total().value();
    if (i == 0) weights += (model.embedding - embedding_on_host_ + model.extra).value();
    if (i + 1 == layers) {
      weights += model.head.value();
      read += model.head_read.total().value();
    }
    const double limit = tokens_max(layer, demand_.rules);
    const double per_token = page > 0 && layer.kv_per_token.value() > 0 ? page : layer.kv_per_token.value();
    KvGroup& group = group_of(limit);
    group.bytes_per_token[i + 1] = per_token;
    const double request = per_token * std::min(held, limit) + layer.state_per_request.value();
    const double extra = i + 1 == layers ? head_extra().value() : 0;
    memory_[i + 1] = memory_[i] + std::ceil(weights + request * demand.concurrency + extra);
    read_[i + 1] = read_[i] + read + request * demand.concurrency;
    weights_[i + 1] = weights_[i] + weights;
    state_[i + 1] = state_[i] + layer.state_per_request.value();
  }
  for (KvGroup& group : kv_groups_) {
    for (std::size_t i = 0; i < layers; ++i) group.bytes_per_token[i + 1] += group.bytes_per_token[i];
  }
  if (model.tied_embeddings && !demand.rules.embedding_on_host)
    tied_copy_ = std::min(model.head.value(), model.embedding.value());
}

LayerLoads::KvGroup& LayerLoads::group_of(double limit) {
  for (KvGroup& group : kv_groups_) {
    if (group.tokens_max == limit) return group;
  }
  kv_groups_.push_back({limit, std::vector<double>(memory_.size())});
  return kv_groups_.back();
}

double LayerLoads::tokens_held(Tokens context) const { return whole_blocks(context.value(), demand_.rules); }

Bytes LayerLoads::weights(int begin, int end) const { return Bytes(weights_[end] - weights_[begin]); }

Bytes LayerLoads::state(int begin, int end) const { return Bytes(state_[end] - state_[begin]); }

Bytes LayerLoads::kv(int begin, int end, Tokens context) const {
  const double held = tokens_held(context);
  double sum = 0;
  for (const KvGroup& group : kv_groups_) {
    sum += (group.bytes_per_token[end] - group.bytes_per_token[begin]) * std::min(held, group.tokens_max);
  }
  return Bytes(sum);
}

BytesPerToken LayerLoads::kv_per_token(int begin, int end) const {
  double sum = 0;
  for (const KvGroup& group : kv_groups_) {
    if (demand_.context.value() < group.tokens_max) sum += group.bytes_per_token[end] - group.bytes_per_token[begin];
  }
  return BytesPerToken(sum);
}

}  // namespace oblea
