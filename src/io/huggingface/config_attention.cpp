#include "io/huggingface/config_attention.hpp"

#include <algorithm>

#include <fmt/core.h>

#include "io/huggingface/config_keys.hpp"
#include "io/huggingface/config_recurrent.hpp"

namespace oblea {
namespace {

namespace key = config_key;

int to_int(std::int64_t value) { return static_cast<int>(value); }

// hidden / heads where no key says it: what every class does.
int head_dim_of(ConfigReader& reader, int heads, std::size_t index) {
  const std::int64_t given = reader.layer_size(key::kHeadDim, index);
  if (given > 0) return to_int(given);
  const std::int64_t hidden = reader.size(key::kHidden);
  if (heads <= 0 || hidden <= 0) return 0;
  if (hidden % heads == 0) return to_int(hidden / heads);
  reader.fault(nullptr, fmt::format("the head dimension is missing, and {} heads do not divide {}", heads, hidden),
               fmt::format("give it: --override {}=128", key::kHeadDim.names.front()));
  return 0;
}

// "multi_query" is one KV head, but not in Falcon's new decoder, which counts them and keeps the flag.
int kv_heads_of(ConfigReader& reader, const FamilyFacts& facts, int heads, std::size_t index) {
  const bool new_decoder = reader.flag_or(key::kNewDecoder, false);
  if (!new_decoder && reader.flag_or(key::kMultiQuery, facts.model_type == "RefinedWebModel")) return 1;
  const std::int64_t given = reader.layer_size(key::kKvHeads, index);
  if (given > 0) return to_int(given);
  if (!facts.multi_head && heads > 0)
    reader.warn(nullptr, "the file counts no KV heads: as many as attention heads are taken, as its class does",
                fmt::format("if it has fewer: --override {}=8", key::kKvHeads.names.front()));
  return heads;
}

// DeciLM counts how many heads share a KV head; its later files count the KV heads.
int kv_heads_of_block(const LayerPlan& plan, int heads) {
  if (plan.block == nullptr) return 0;
  const auto number = [&](std::string_view path) {
    const std::vector<const JsonValue*> trail = resolve_path(*plan.block, path);
    const bool counts = !trail.empty() && trail.back()->kind == JsonValue::Kind::number && trail.back()->number >= 1;
    return counts ? std::min(trail.back()->number, 1e6) : 0;
  };
  if (const double sharing = number("attention.n_heads_in_group"); sharing > 0)
    return static_cast<int>(heads / sharing);
  return static_cast<int>(number("attention.num_key_value_heads"));
}

void read_biases(ConfigReader& reader, const FamilyFacts& facts, Attention& a) {
  const bool none = reader.flag_or(key::kNoBias, false);
  a.qkv_bias = !none && reader.flag_or(key::kQkvBias, facts.qkv_bias);
  a.output_bias = !none && reader.flag_or(key::kOutputBias, facts.output_bias);
  a.qk_norm = reader.flag_or(key::kQkNorm, facts.qk_norm);
  a.output_gate = reader.flag_or(key::kOutputGate, facts.gated_delta);
  a.sinks = facts.sinks;
}

// Global layers of Gemma 4 are wider, with fewer KV heads, and K is V.
void widen_global(ConfigReader& reader, Attention& a) {
  if (const std::int64_t dim = reader.size(key::kGlobalHeadDim); dim > 0) a.head_dim = to_int(dim);
  a.k_equals_v = reader.flag_or(key::kKeyIsValue, false);
  const std::int64_t kv_heads = a.k_equals_v ? reader.size(key::kGlobalKvHeads) : 0;
  if (kv_heads > 0) a.kv_heads = to_int(kv_heads);
}

void narrow_sliding(ConfigReader& reader, Attention& a) {
  if (const std::int64_t heads = reader.size(key::kSlidingHeads); heads > 0) a.heads = to_int(heads);
  if (const std::int64_t heads = reader.size(key::kSlidingKvHeads); heads > 0) a.kv_heads = to_int(heads);
  if (const std::int64_t dim = reader.size(key::kSlidingHeadDim); dim > 0) a.head_dim = to_int(dim);
  if (const std::int64_t dim = reader.size(key::kSlidingValueDim); dim > 0) a.v_head_dim = to_int(dim);
}

void read_indexer(ConfigReader& reader, const LayerPlan& plan, Attention& a) {
  if (!plan.indexed) return;
  a.index_heads = to_int(reader.size(key::kIndexHeads));
  a.index_dim = to_int(reader.required_size(key::kIndexDim));
  a.index_top = to_int(reader.size(key::kIndexTop));
  if (a.index_top == 0)
    a.index_top =
        to_int(std::min<std::int64_t>(reader.size(key::kSparseBlocks) * reader.size(key::kSparseBlock), 1 << 24));
}

Attention read_grouped(ConfigReader& reader, const FamilyFacts& facts, const LayerPlan& plan, std::size_t index) {
  Attention a;
  a.kind = plan.mixer == Mixer::sliding ? AttentionKind::sliding : AttentionKind::full;
  a.heads = to_int(reader.layer_size(key::kHeads, index, true));
  a.kv_heads = kv_heads_of_block(plan, a.heads);
  if (a.kv_heads == 0) a.kv_heads = kv_heads_of(reader, facts, a.heads, index);
  a.head_dim = head_dim_of(reader, a.heads, index);
  a.v_head_dim = to_int(reader.size(key::kValueDim));
  a.window = plan.window;
  read_biases(reader, facts, a);
  if (plan.mixer == Mixer::sliding)
    narrow_sliding(reader, a);
  else
    widen_global(reader, a);
  if (a.v_head_dim == a.head_dim) a.v_head_dim = 0;
  a.shares_kv = plan.shares_kv;
  read_indexer(reader, plan, a);
  if (a.heads > 0 && a.kv_heads > 0 && a.heads % a.kv_heads != 0)
    reader.fault(reader.find(key::kKvHeads), fmt::format("{} KV heads do not divide {} heads", a.kv_heads, a.heads));
  return a;
}

Attention read_latent(ConfigReader& reader, const LayerPlan& plan) {
  Attention a{.kind = AttentionKind::latent};
  a.heads = to_int(reader.required_size(key::kHeads));
  a.q_lora_rank = to_int(reader.size(key::kQueryLora));
  a.kv_lora_rank = to_int(reader.required_size(key::kKvLora));
  a.rope_dim = to_int(reader.size(key::kRopeDim));
  a.nope_dim = to_int(reader.required_size(key::kNopeDim));
  a.v_head_dim = to_int(reader.size(key::kValueDim));
  const std::int64_t hidden = reader.size(key::kHidden);
  if (a.v_head_dim == 0 && a.heads > 0 && hidden % a.heads == 0) {
    a.v_head_dim = to_int(hidden / a.heads);
    reader.warn(
        nullptr,
        fmt::format("v_head_dim is not in the file; hidden size / heads = {} is taken, as MiniCPM3's class does",
                    a.v_head_dim));
  } else if (a.v_head_dim == 0) {
    reader.required_size(key::kValueDim);
  }
  a.output_gate = reader.flag_or(key::kLatentGate, false);
  read_indexer(reader, plan, a);
  return a;
}

Attention read_compressed(ConfigReader& reader, const FamilyFacts& facts, const LayerPlan& plan) {
  Attention a{.kind = AttentionKind::compressed};
  a.heads = to_int(reader.required_size(key::kHeads));
  a.kv_heads = 1;
  a.head_dim = to_int(reader.required_size(key::kHeadDim));
  a.window = plan.window > 0 ? plan.window : to_int(reader.required_size(key::kWindow));
  a.compress_ratio = plan.compress_ratio;
  a.q_lora_rank = to_int(reader.size(key::kQueryLora));
  a.output_groups = to_int(reader.size(key::kOutputGroups));
  a.output_rank = a.output_groups > 0 ? to_int(reader.required_size(key::kOutputRank)) : 0;
  a.sinks = facts.sinks;
  read_indexer(reader, plan, a);
  return a;
}

// Layers of Llama 3.2 Vision that attend to image tokens only: a window as long as an image's tokens, (side / patch)^2
// patches and one more, for each tile. Example: 4 x ((560 / 14)^2 + 1) = 6,404.
Attention read_cross(ConfigReader& reader, const FamilyFacts& facts, const LayerPlan& plan, std::size_t index) {
  Attention a = read_grouped(reader, facts, plan, index);
  a.kind = AttentionKind::sliding;
  a.qk_norm = true;
  const std::int64_t side = reader.required_size({"image size", {"vision_config.image_size"}});
  const std::int64_t patch = reader.required_size({"patch size", {"vision_config.patch_size"}});
  const std::int64_t tiles = reader.size({"number of tiles", {"vision_config.max_num_tiles"}});
  if (patch <= 0) return a;
  const std::int64_t patches = (side / patch) * (side / patch) + 1;
  a.window = to_int(std::min<std::int64_t>(std::max<std::int64_t>(tiles, 1) * patches, 1 << 24));
  reader.warn(nullptr, fmt::format("cross-attention layers keep an image's {} tokens, and nothing without an image; "
                                   "they are charged in full",
                                   a.window));
  return a;
}

}  // namespace

Attention read_attention(ConfigReader& reader, const FamilyFacts& facts, const LayerPlan& plan, std::size_t index) {
  switch (plan.mixer) {
    case Mixer::none:
      return {.kind = AttentionKind::none};
    case Mixer::projection:
      return {.kind = AttentionKind::projection};
    case Mixer::full:
    case Mixer::sliding:
      return read_grouped(reader, facts, plan, index);
    case Mixer::latent:
      return read_latent(reader, plan);
    case Mixer::compressed:
      return read_compressed(reader, facts, plan);
    case Mixer::linear:
      return read_linear(reader, facts);
    case Mixer::delta:
      return read_delta(reader);
    case Mixer::ssm:
      return read_state_space(reader);
    case Mixer::conv:
      return read_convolution(reader);
    case Mixer::cross:
      return read_cross(reader, facts, plan, index);
  }
  return {};
}

}  // namespace oblea
