#include "llm/mixture.hpp"

#include <algorithm>
#include <array>
#include <cctype>

#include "base/check.hpp"
#include "llm/recipe.hpp"

namespace oblea {
namespace {

bool equal_ignoring_case(std::string_view a, std::string_view b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](unsigned char x, unsigned char y) { return std::toupper(x) == std::toupper(y); });
}

const Recipe& recipe_of(const Mixture& mixture) {
  const std::vector<Recipe>& all = all_recipes();
  const auto found =
      std::find_if(all.begin(), all.end(), [&](const Recipe& r) { return r.mixture.name == mixture.name; });
  OBLEA_CHECK(found != all.end(), "a mixture comes from find_mixture or all_mixtures");
  return *found;
}

bool holds_keys_and_values(const Layer& layer) {
  const AttentionKind kind = layer.attention.kind;
  return kind == AttentionKind::full || kind == AttentionKind::sliding || kind == AttentionKind::linear;
}

int count_value_layers(const ModelSpec& model, int end) {
  int count = 0;
  for (int i = 0; i < end; ++i) count += holds_keys_and_values(model.layers[static_cast<std::size_t>(i)]) ? 1 : 0;
  return count;
}

bool is_grouped(const ModelSpec& model) {
  for (const Layer& layer : model.layers) {
    if (layer.attention.heads > 0 && layer.attention.kv_heads > 0) {
      return layer.attention.heads / layer.attention.kv_heads >= 4;
    }
  }
  return false;
}

int routed_experts(const ModelSpec& model) {
  int most = 0;
  for (const Layer& layer : model.layers) most = std::max(most, layer.mlp.experts);
  return most;
}

// Families whose files hold Q, K and V as one tensor, which llama.cpp treats as it treats V.
bool has_fused_projections(const ModelSpec& model, const Layer& layer) {
  static constexpr std::array<std::string_view, 6> kFused{"falcon", "mpt", "dbrx", "chatglm", "phi3", "bloom"};
  const bool fused_family = std::find(kFused.begin(), kFused.end(), model.family) != kFused.end();
  const bool gated_delta_net = layer.attention.kind == AttentionKind::linear && layer.attention.gate_rank == 0;
  return fused_family || gated_delta_net;
}

// llama.cpp names an 80-layer Llama or Qwen with grouped queries "70B" and gives its small V tensor at least Q5_K.
bool is_seventy_b(const ModelSpec& model) {
  const Attention& first = model.layers.front().attention;
  return model.layers.size() == 80 && (model.family == "llama" || model.family == "qwen2") &&
         first.heads != first.kv_heads;
}

TensorFormat pick(const RoleRule& rule, int i, int n) { return applies(rule.where, i, n) ? rule.special : rule.usual; }

TensorFormat value_format(const Recipe& recipe, const ModelSpec& model, int layer_index) {
  const int experts = routed_experts(model);
  const bool grouped = is_grouped(model) || (recipe.grouped_by_experts && experts >= 4);
  const RoleRule& rule = grouped && recipe.grouped_value ? *recipe.grouped_value : recipe.value;
  const int total = count_value_layers(model, static_cast<int>(model.layers.size()));
  const TensorFormat format = pick(rule, count_value_layers(model, layer_index), total);
  if (experts == 8) return recipe.eight_experts_value;
  const bool small_enough = format == TensorFormat::q3_k || format == TensorFormat::q4_k;
  return is_seventy_b(model) && !recipe.grouped_by_experts && small_enough ? TensorFormat::q5_k : format;
}

TensorFormat query_key_format(const Recipe& recipe, const ModelSpec& model, TensorRole role, int layer_index) {
  if (has_fused_projections(model, model.layers[static_cast<std::size_t>(layer_index)])) {
    return value_format(recipe, model, layer_index);
  }
  const bool key = role == TensorRole::attention_k;
  return key && routed_experts(model) == 8 ? recipe.eight_experts_value : recipe.query_key;
}

// Experts that were trained in MXFP4 stay in it: a smaller target would not save a byte (gpt-oss 20B: Q2_K 11.5 GB,
// MXFP4 12.1).
bool keeps_native_experts(const Recipe& recipe, const ModelSpec& model) {
  return recipe.gguf && model.native_format.rfind("MXFP4", 0) == 0;
}

TensorFormat expert_format(const Recipe& recipe, const ModelSpec& model, TensorRole role, int layer_index) {
  if (keeps_native_experts(recipe, model)) return TensorFormat::mxfp4;
  if (recipe.experts != recipe.base) return recipe.experts;
  const int layers = static_cast<int>(model.layers.size());
  return pick(role == TensorRole::expert_down ? recipe.down : recipe.gate_up, layer_index, layers);
}

TensorFormat recipe_format(const Recipe& recipe, const ModelSpec& model, const Tensor& tensor, int layer_index) {
  const int layers = static_cast<int>(model.layers.size());
  switch (tensor.role) {
    case TensorRole::norm:
      return recipe.vectors;
    case TensorRole::router:
      return recipe.router;
    case TensorRole::head:
      return recipe.head;
    case TensorRole::embedding:
      return model.tied_embeddings ? recipe.head : recipe.embedding;
    case TensorRole::attention_q:
    case TensorRole::attention_k:
      return query_key_format(recipe, model, tensor.role, layer_index);
    case TensorRole::attention_v:
      return value_format(recipe, model, layer_index);
    case TensorRole::attention_output:
      return routed_experts(model) == 8 ? recipe.eight_experts_output : recipe.attention_output;
    case TensorRole::mlp_gate:
    case TensorRole::mlp_up:
      return pick(recipe.gate_up, layer_index, layers);
    case TensorRole::mlp_down:
      return pick(recipe.down, layer_index, layers);
    case TensorRole::expert_gate:
    case TensorRole::expert_up:
    case TensorRole::expert_down:
      return expert_format(recipe, model, tensor.role, layer_index);
    case TensorRole::extra:
      return TensorFormat::bf16;
    case TensorRole::latent_projection:
    case TensorRole::linear_state:
    case TensorRole::shared_expert:
      return recipe.base;
  }
  return recipe.base;
}

// llama.cpp's replacement where a row is no whole number of blocks of 256.
TensorFormat smaller_blocks(TensorFormat format) {
  using F = TensorFormat;
  switch (format) {
    case F::q6_k:
      return F::q8_0;
    case F::q5_k:
      return F::q5_1;
    case F::q4_k:
      return F::q5_0;
    case F::q3_k:
    case F::q2_k:
    case F::tq1_0:
    case F::tq2_0:
      return F::q4_0;
    case F::iq4_xs:
    case F::iq3_s:
    case F::iq3_xxs:
    case F::iq2_s:
    case F::iq2_xs:
    case F::iq2_xxs:
    case F::iq1_m:
    case F::iq1_s:
      return F::iq4_nl;
    default:
      return F::f16;
  }
}

bool divides(TensorFormat format, std::int64_t columns) {
  return columns % block_format(format).weights_per_block == 0;
}

TensorFormat fit(TensorFormat format, std::int64_t columns) {
  if (divides(format, columns)) return format;
  const TensorFormat smaller = smaller_blocks(format);
  return divides(smaller, columns) ? smaller : TensorFormat::f16;
}

}  // namespace

const std::vector<Mixture>& all_mixtures() {
  static const std::vector<Mixture> mixtures = [] {
    std::vector<Mixture> list;
    for (const Recipe& recipe : all_recipes()) list.push_back(recipe.mixture);
    return list;
  }();
  return mixtures;
}

const Mixture* find_mixture(std::string_view name) {
  static const Mixture stored{std::string(kStoredMixture), 0, "as the model's own files store it"};
  if (equal_ignoring_case(stored.name, name)) return &stored;
  for (const Mixture& mixture : all_mixtures()) {
    if (equal_ignoring_case(mixture.name, name)) return &mixture;
  }
  return nullptr;
}

std::string mixture_words(std::string_view mixture, const ModelSpec& model) {
  if (mixture != kStoredMixture || !model.stored) return std::string(mixture);
  return model.stored->label.empty() ? "as stored" : model.stored->label + " (as stored)";
}

TensorFormat tensor_format(const Mixture& mixture, const ModelSpec& model, const Tensor& tensor, int layer_index) {
  const Recipe& recipe = recipe_of(mixture);
  // An odd width makes the head Q8_0 whatever the recipe says (gpt-oss, hidden 2880); Falcon's is Q8_0 always.
  const bool is_head =
      tensor.role == TensorRole::head || (tensor.role == TensorRole::embedding && model.tied_embeddings);
  const bool mixes = recipe.gguf && block_format(recipe.base).weights_per_block > 1;
  if (is_head && mixes && (model.family == "falcon" || !divides(recipe.base, tensor.columns)))
    return TensorFormat::q8_0;
  const TensorFormat format = recipe_format(recipe, model, tensor, layer_index);
  return recipe.gguf ? fit(format, tensor.columns) : format;
}

TensorFormat tensor_format(const Mixture& mixture, const ModelSpec& model, TensorRole role, int layer_index) {
  if (role != TensorRole::embedding && role != TensorRole::head) {
    const Layer& layer = model.layers.at(static_cast<std::size_t>(layer_index));
    for (const Tensor& tensor : layer_tensors(layer, model.hidden)) {
      if (tensor.role == role) return tensor_format(mixture, model, tensor, layer_index);
    }
  }
  return tensor_format(mixture, model, Tensor{role, model.hidden, 1}, layer_index);
}

namespace {

struct KvFormatFacts {
  std::string_view name;
  double bytes;  // an element
};

// In the order of KvFormat. Sizes of ggml's blocks of 32 elements.
constexpr std::array<KvFormatFacts, kKvFormatCount> kKvFormats{{{"f16", 2},
                                                                {"q8_0", 34.0 / 32},
                                                                {"q4_0", 18.0 / 32},
                                                                {"fp8", 1},
                                                                {"bf16", 2},
                                                                {"f32", 4},
                                                                {"q5_1", 24.0 / 32},
                                                                {"q5_0", 22.0 / 32},
                                                                {"q4_1", 20.0 / 32},
                                                                {"iq4_nl", 18.0 / 32}}};

}  // namespace

double kv_element_bytes(KvFormat format) { return kKvFormats[static_cast<std::size_t>(format)].bytes; }

std::string_view kv_format_name(KvFormat format) { return kKvFormats[static_cast<std::size_t>(format)].name; }

bool is_quantised(KvFormat format) { return format != KvFormat::fp8 && kv_element_bytes(format) < 2; }

std::optional<KvFormat> find_kv_format(std::string_view name) {
  for (std::size_t i = 0; i < kKvFormats.size(); ++i) {
    if (equal_ignoring_case(kKvFormats[i].name, name)) return static_cast<KvFormat>(i);
  }
  return std::nullopt;
}

}  // namespace oblea
