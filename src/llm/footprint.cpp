#include "llm/footprint.hpp"

#include <algorithm>
#include <cmath>

#include "base/check.hpp"
#include "llm/parameters.hpp"

namespace oblea {
namespace {

constexpr double kStateBytes = 4;  // engines keep recurrent states in fp32
constexpr double kConvBytes = 2;   // and the tail of the short convolution in 16 bit

double value_width(const Attention& a) { return a.v_head_dim > 0 ? a.v_head_dim : a.head_dim; }

// Bytes cached a token besides the indexer's: K and V of every KV head, the latent vector with its rotary part,
// once, or the share of a compressed entry.
// Examples, in 16 bit: 70B 2 x 8 x 128 x 2 = 4,096; DeepSeek V3 (512 + 64) x 2 = 1,152; DeepSeek V4 512 / 4 x 2 = 256.
double cached_bytes(const Attention& a, KvFormats kv) {
  if (a.shares_kv) return 0;
  const double k = kv_element_bytes(kv.k);
  switch (a.kind) {
    case AttentionKind::full:
    case AttentionKind::sliding:
      return a.kv_heads * (a.head_dim * k + value_width(a) * kv_element_bytes(kv.v));
    case AttentionKind::latent:
      return (a.kv_lora_rank + a.rope_dim) * k;
    case AttentionKind::compressed:
      return a.compress_ratio > 0 ? k * a.head_dim / a.compress_ratio : 0;
    default:
      return 0;
  }
}

// Bytes of the indexer's keys a token. Beside a latent cache vLLM and SGLang keep them in FP8 with an fp32 scale for
// 128, whatever the cache's format (GLM-5, DeepSeek V3.2: 132 B); elsewhere they follow the cache.
// Example (DeepSeek V4, 128 wide, one for 4 tokens, 16 bit): 64 B.
double index_bytes(const Attention& a, double element_bytes) {
  if (a.index_heads <= 0) return 0;
  if (a.kind == AttentionKind::latent) return a.index_dim + 4.0 * std::ceil(a.index_dim / 128.0);
  const double keys = a.kind == AttentionKind::compressed ? 1.0 / std::max(a.compress_ratio, 1) : 1.0;
  return keys * a.index_dim * element_bytes;
}

// A matrix of key_dim x value_dim a head, and the last (kernel - 1) inputs of the short convolution, which in Mamba 1
// and LFM2 runs over the values only. The window of compressed attention counts here too: it is there from the start.
// Examples: Kimi K3 96 x 128 x 128 x 4 B = 6.29 MB, and 3 x 36,864 x 2 B = 0.22 MB; LFM2 2 x 2048 x 2 B = 8 kB;
// DeepSeek V4 128 x 512 x 2 B = 131 kB.
double state_bytes(const Attention& a, double element_bytes) {
  const double tail = std::max(0, a.conv_kernel - 1) * kConvBytes;
  const double values = double{1} * a.value_heads * a.value_dim;
  switch (a.kind) {
    case AttentionKind::linear:
    case AttentionKind::ssm: {
      const double channels = values + (a.dt_rank > 0 ? 0.0 : 2.0 * a.key_heads * a.key_dim);
      return values * a.key_dim * kStateBytes + tail * channels;
    }
    case AttentionKind::conv:
      return tail * a.value_dim;
    case AttentionKind::compressed:
      return double{1} * a.window * a.head_dim * element_bytes;
    default:
      return 0;
  }
}

// One multiplication and one addition an element, for the scores (K) and for the mix (V), in every query head.
// Example (70B): 2 x 64 x (128 + 128) = 32,768. Absorbed MLA scores against the latent vector: 2 x heads x (2 x 512 +
// 64).
double decode_attention_flops(const Attention& a) {
  switch (a.kind) {
    case AttentionKind::full:
    case AttentionKind::sliding:
      return 2.0 * a.heads * (a.head_dim + value_width(a));
    case AttentionKind::latent:
      return 2.0 * a.heads * (2.0 * a.kv_lora_rank + a.rope_dim);
    case AttentionKind::compressed:
      return a.compress_ratio > 0 ? 4.0 * a.heads * a.head_dim / a.compress_ratio : 0;
    default:
      return 0;
  }
}

double index_flops(const Attention& a) {
  return 2.0 * a.index_heads * a.index_dim / (a.kind == AttentionKind::compressed ? std::max(a.compress_ratio, 1) : 1);
}

// Tokens that sparse attention reads at most. Example (DeepSeek V4 Pro): 1024 entries of 4 tokens, 4096.
std::int64_t attended_tokens(const Attention& a) {
  return std::int64_t{a.index_top} * (a.kind == AttentionKind::compressed ? std::max(a.compress_ratio, 1) : 1);
}

// In prefill MLA expands K and V, because a head's own K is narrower than the latent vector.
double prefill_attention_flops(const Attention& a) {
  if (a.kind != AttentionKind::latent) return decode_attention_flops(a);
  return 2.0 * a.heads * (a.nope_dim + a.rope_dim + value_width(a));
}

bool is_stored(const Mixture& mixture) { return mixture.name == kStoredMixture; }

bool is_matrix(const Tensor& tensor) { return tensor.role != TensorRole::norm; }

int count_matrices(const std::vector<Tensor>& tensors) {
  return static_cast<int>(std::count_if(tensors.begin(), tensors.end(), is_matrix));
}

// Besides the matrix products of an attention: rotary, cache writes, the attention itself, gates, convolution.
int small_attention_kernels(const Attention& a) {
  switch (a.kind) {
    case AttentionKind::none:
      return 0;
    case AttentionKind::full:
    case AttentionKind::sliding:
      return 5 + (a.index_heads > 0 ? 3 : 0) + (a.qkv_bias ? 3 : 0) + (a.qk_norm ? 2 : 0) + (a.output_gate ? 2 : 0);
    case AttentionKind::latent:
      return 6 + (a.index_heads > 0 ? 3 : 0) + (a.output_gate ? 2 : 0);
    case AttentionKind::linear:
      return 8;
    case AttentionKind::ssm:
    case AttentionKind::conv:
      return 4;
    case AttentionKind::compressed:
      return 9;
    case AttentionKind::projection:
      return 0;
  }
  return 0;
}

// The activation; for experts also routing (3), the weighted sum (2), and activation and addition of the shared expert.
int small_mlp_kernels(const Mlp& mlp) {
  if (mlp.kind == MlpKind::none || mlp.kind == MlpKind::projection) return 0;
  if (mlp.kind == MlpKind::dense) return 1;
  return 6 + (mlp.shared_intermediate > 0 ? 2 : 0) + (mlp.dense_intermediate > 0 ? 2 : 0);
}

// Example (Llama): 7 products; 2 norms, 2 rotary, 2 cache writes, attention, activation, 2 residual additions: 17.
int count_kernels(const Layer& layer, const std::vector<Tensor>& tensors) {
  const int residuals = (layer.attention.kind != AttentionKind::none) + (layer.mlp.kind != MlpKind::none);
  return count_matrices(tensors) + small_attention_kernels(layer.attention) + small_attention_kernels(layer.beside) +
         small_mlp_kernels(layer.mlp) + layer.norms + residuals;
}

double widest_matrix_rows(const std::vector<Tensor>& tensors) {
  const auto largest = std::max_element(tensors.begin(), tensors.end(), [](const Tensor& a, const Tensor& b) {
    const auto size = [](const Tensor& t) { return is_matrix(t) ? t.columns * t.rows : 0; };
    return size(a) < size(b);
  });
  return largest == tensors.end() ? 0 : static_cast<double>(largest->rows);
}

// What the files hold. A routed expert is an equal share of its layer's experts.
void add_stored_weights(LayerFootprint& out, const StoredLayer& stored, int experts) {
  out.weights = stored.trunk.total() + stored.experts.total();
  out.expert_weights = stored.experts.total();
  out.trunk_read = stored.trunk;
  for (std::size_t i = 0; i < stored.experts.bytes.size() && experts > 0; ++i) {
    out.expert_read.bytes[i] = stored.experts.bytes[i] / experts;
  }
}

void add_weights(LayerFootprint& out, const ModelSpec& model, const Mixture& mixture, int index,
                 const std::vector<Tensor>& tensors) {
  for (const Tensor& tensor : tensors) {
    const TensorFormat format = tensor_format(mixture, model, tensor, index);
    const double one_copy = static_cast<double>(tensor_bytes(tensor.columns * tensor.rows, format));
    const Bytes all{one_copy * static_cast<double>(tensor.copies)};
    out.weights += all;
    if (tensor.routed) out.expert_weights += all;
    (tensor.routed ? out.expert_read : out.trunk_read).add(format, one_copy);
  }
}

LayerFootprint make_layer(const ModelSpec& model, const Mixture& mixture, KvFormats kv, int index) {
  const Layer& layer = model.layers[static_cast<std::size_t>(index)];
  const Attention& a = layer.attention;
  const std::vector<Tensor> tensors = layer_tensors(layer, model.hidden);
  LayerFootprint out;
  out.attention = a.kind;
  if (is_stored(mixture))
    add_stored_weights(out, model.stored->layers[static_cast<std::size_t>(index)], layer.mlp.experts);
  else
    add_weights(out, model, mixture, index, tensors);
  out.experts = layer.mlp.experts;
  out.active_experts = layer.mlp.active_experts;
  const double element = kv_element_bytes(kv.k);
  out.index_per_token = BytesPerToken(index_bytes(a, element));
  out.kv_per_token = BytesPerToken(cached_bytes(a, kv)) + out.index_per_token;
  out.window = a.kind == AttentionKind::sliding ? a.window : 0;
  out.attended = attended_tokens(a);
  out.state_per_request = Bytes(state_bytes(a, element) + state_bytes(layer.beside, element));
  out.flops_per_token = Flops(2.0 * static_cast<double>(active_layer_parameters(layer, model.hidden)));
  out.flops_per_cached_token = Flops(decode_attention_flops(a));
  out.prefill_flops_per_cached_token = Flops(prefill_attention_flops(a));
  out.index_flops_per_cached_token = Flops(index_flops(a));
  out.kernels = count_kernels(layer, tensors);
  out.heads = a.heads > 0 ? a.heads : a.value_heads;
  out.kv_heads = a.kind == AttentionKind::latent ? 1 : a.kv_heads > 0 ? a.kv_heads : a.key_heads;
  out.widest_matrix_rows = widest_matrix_rows(tensors);
  return out;
}

// A file without a head of its own reads the embedding twice: rows of it, and all of it as the head.
void add_stored_ends(ModelFootprint& out, const ModelSpec& model) {
  const StoredWeights& stored = *model.stored;
  out.tied_embeddings = stored.head.empty();
  out.head_read = out.tied_embeddings ? stored.embedding : stored.head;
  out.embedding = stored.embedding.total();
  out.head = out.head_read.total();
  out.extra = stored.extra.total();
}

void add_ends(ModelFootprint& out, const ModelSpec& model, const Mixture& mixture) {
  const Tensor embedding{TensorRole::embedding, model.hidden, model.vocabulary};
  const Tensor head{model.tied_embeddings ? TensorRole::embedding : TensorRole::head, model.hidden, model.vocabulary};
  const TensorFormat head_format = tensor_format(mixture, model, head, 0);
  const double head_bytes = static_cast<double>(tensor_bytes(head.weights(), head_format));
  out.embedding =
      Bytes(static_cast<double>(tensor_bytes(embedding.weights(), tensor_format(mixture, model, embedding, 0))));
  out.head = Bytes(head_bytes);
  out.head_read.add(head_format, head_bytes);
}

}  // namespace

Bytes StoredWeights::total() const {
  Bytes sum = embedding.total() + head.total() + extra.total();
  for (const StoredLayer& layer : layers) sum += layer.trunk.total() + layer.experts.total();
  return sum;
}

Bytes ModelFootprint::weights() const {
  Bytes sum = embedding + extra;
  if (!tied_embeddings) sum += head;
  for (const LayerFootprint& layer : layers) sum += layer.weights;
  return sum;
}

ModelFootprint make_footprint(const ModelSpec& model, const Mixture& mixture, KvFormats kv) {
  OBLEA_CHECK(!model.layers.empty(), "the model reader refuses a model without layers");
  OBLEA_CHECK(!is_stored(mixture) || (model.stored && model.stored->layers.size() == model.layers.size()),
              "the scenario reader gives the stored mixture to a model with stored weights only");
  ModelFootprint out;
  out.tied_embeddings = model.tied_embeddings;
  out.hidden = model.hidden;
  out.vocabulary = model.vocabulary;
  out.shape = make_shape(model);
  out.boundary_factor = model.boundary_factor;
  out.extra = Bytes(2.0 * static_cast<double>(model.extra_parameters));
  if (is_stored(mixture))
    add_stored_ends(out, model);
  else
    add_ends(out, model, mixture);
  out.head_flops_per_token = Flops(2.0 * static_cast<double>(model.hidden) * static_cast<double>(model.vocabulary));
  out.layers.reserve(model.layers.size());
  for (int i = 0; i < static_cast<int>(model.layers.size()); ++i)
    out.layers.push_back(make_layer(model, mixture, kv, i));
  return out;
}

Bytes kv_bytes(const LayerFootprint& layer, Tokens context) {
  const double tokens = std::ceil(context.value());
  const double kept = layer.window > 0 ? std::min(tokens, static_cast<double>(layer.window)) : tokens;
  return layer.kv_per_token * Tokens(kept);
}

Bytes request_bytes(const ModelFootprint& model, Tokens context) {
  Bytes sum;
  for (const LayerFootprint& layer : model.layers) sum += kv_bytes(layer, context) + layer.state_per_request;
  return sum;
}

double distinct_experts(int experts, int active_experts, double tokens) {
  if (experts <= 0) return 0;
  const double missed_by_one = 1.0 - static_cast<double>(active_experts) / experts;
  return experts * (1.0 - std::pow(missed_by_one, tokens));
}

FormatBytes weight_read(const LayerFootprint& layer, double batch) {
  FormatBytes read = layer.trunk_read;
  const double experts = distinct_experts(layer.experts, layer.active_experts, batch);
  for (std::size_t i = 0; i < read.bytes.size(); ++i) read.bytes[i] += experts * layer.expert_read.bytes[i];
  return read;
}

}  // namespace oblea
