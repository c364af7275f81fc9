#include "io/gguf/attention.hpp"

#include <algorithm>
#include <array>

#include "io/gguf/latent.hpp"
#include "io/gguf/recurrent.hpp"

namespace oblea {
namespace {

enum class Mixer { none, grouped, latent, compressed, delta, kimi_delta, mamba, convolution, rwkv, projection };

std::int64_t of_layer(const std::vector<std::int64_t>& values, int layer) {
  return values.empty() ? 0 : values[static_cast<std::size_t>(layer)];
}

bool has_queries(const GgufBlock& block) {
  return block.has("attn_q.weight") || block.has("attn_qkv.weight") || block.has("attn_k.weight");
}

Mixer mixer_of_tensors(const GgufBlock& block) {
  if (block.has("attn_kv_a_mqa.weight")) return Mixer::latent;
  if (block.has("attn_kv.weight")) return Mixer::compressed;
  if (block.has_any("ssm_conv1d_q")) return Mixer::kimi_delta;
  if (block.has_any("ssm_ba") || block.has_any("ssm_alpha")) return Mixer::delta;
  if (block.has_any("shortconv.")) return Mixer::convolution;
  if (block.has_any("time_mix_")) return Mixer::rwkv;
  if (has_queries(block)) return Mixer::grouped;
  if (block.has("ssm_in.weight")) return Mixer::mamba;
  return block.has("attn_output.weight") ? Mixer::projection : Mixer::none;
}

// Which kind of recurrent layer the keys describe.
Mixer recurrent_of_keys(GgufKeys& keys) {
  if (keys.has("kda.head_dim")) return Mixer::kimi_delta;
  if (keys.has("shortconv.l_cache")) return Mixer::convolution;
  if (keys.has("wkv.head_size")) return Mixer::rwkv;
  if (keys.has("full_attention_interval")) return Mixer::delta;
  return keys.has("ssm.inner_size") ? Mixer::mamba : Mixer::none;
}

// A layer of a model with layers of feed-forward only (Nemotron H): its siblings have zeros where it has a width.
bool is_feed_forward_only(const GgufPlan& plan, int layer) {
  return of_layer(plan.feed_forward, layer) > 0 &&
         std::find(plan.feed_forward.begin(), plan.feed_forward.end(), 0) != plan.feed_forward.end();
}

Mixer mixer_of_keys(GgufKeys& keys, const GgufPlan& plan, int layer) {
  const bool said = !plan.heads.empty();
  const bool no_kv = !plan.kv_heads.empty() && of_layer(plan.kv_heads, layer) == 0;
  const bool no_heads = said && of_layer(plan.heads, layer) == 0;
  const bool recurrent = plan.recurrent.empty() ? no_kv || no_heads : plan.recurrent[static_cast<std::size_t>(layer)];
  if (recurrent) {
    const Mixer kind = recurrent_of_keys(keys);
    if (kind != Mixer::none) return is_feed_forward_only(plan, layer) ? Mixer::none : kind;
    return no_kv && !no_heads && keys.architecture() == "deci" ? Mixer::projection : Mixer::none;
  }
  if (!said && keys.has("wkv.head_size")) return Mixer::rwkv;
  if (!said && keys.has("ssm.inner_size")) return Mixer::mamba;
  if (!plan.compress_ratios.empty()) return Mixer::compressed;
  return keys.has("attention.kv_lora_rank") ? Mixer::latent : Mixer::grouped;
}

// Widths of a head by the keys; layers that slide may have their own.
struct HeadWidths {
  std::int64_t key = 0;
  std::int64_t value = 0;
};

HeadWidths keyed_widths(GgufKeys& keys, bool slides) {
  const auto read = [&](const char* usual, const char* sliding) {
    const std::optional<std::int64_t> own = slides ? keys.integer(sliding) : std::nullopt;
    return own ? *own : keys.integer(usual).value_or(0);
  };
  return {read("attention.key_length", "attention.key_length_swa"),
          read("attention.value_length", "attention.value_length_swa")};
}

// Attention with K and V of its own for groups of query heads, as keys and shapes have it together.
class Grouped {
 public:
  Grouped(GgufKeys& keys, const GgufPlan& plan, int layer, const GgufBlock& block)
      : keys_(keys), plan_(plan), layer_(layer), block_(block) {}

  Attention read() {
    const bool slides = plan_.slides[static_cast<std::size_t>(layer_)];
    const HeadWidths widths = keyed_widths(keys_, slides);
    attention_.kind = slides ? AttentionKind::sliding : AttentionKind::full;
    attention_.window = slides ? keys_.width(plan_.window, "the window") : 0;
    read_queries(widths.key);
    if (heads_ == 0 || key_width_ == 0) return attention_;
    read_keys_and_values(widths.value > 0 ? widths.value : key_width_);
    attention_.shares_kv = layer_ >= plan_.first_shared_kv;
    attention_.heads = keys_.width(heads_, "attention heads");
    attention_.kv_heads = keys_.width(kv_heads_, "KV heads");
    attention_.head_dim = keys_.width(key_width_, "the width of a head");
    attention_.v_head_dim = value_width_ == key_width_ ? 0 : keys_.width(value_width_, "the width of a value");
    read_flags();
    return attention_;
  }

 private:
  // A norm over each head alone tells the head's width; one over all heads together does not.
  std::int64_t normed_width() const {
    const std::int64_t norm = block_.columns("attn_k_norm.weight");
    return norm > 0 && norm < block_.rows("attn_k.weight") ? norm : 0;
  }

  void read_queries(std::int64_t keyed_width) {
    const std::int64_t rows = block_.rows("attn_q.weight");
    heads_ = of_layer(plan_.heads, layer_);
    key_width_ = keyed_width > 0 ? keyed_width : normed_width();
    if (heads_ == 0 && rows > 0 && key_width_ > 0) heads_ = rows / key_width_;
    if (heads_ == 0) heads_ = require_heads(keys_, plan_, layer_);
    if (heads_ == 0) return;
    // The format's own rule for a file that gives no width: all heads together are as wide as the model.
    if (key_width_ == 0) key_width_ = (rows > 0 ? rows : plan_.hidden) / heads_;
    if (rows == 0 || rows == heads_ * key_width_) return;
    if (rows == 2 * heads_ * key_width_) {
      attention_.output_gate = true;
    } else if (const std::int64_t norm = normed_width(); norm > 0 && rows % norm == 0) {
      keys_.warn_of_tensors("attention.key_length", key_width_, norm, layer_);
      key_width_ = norm;
      heads_ = rows / norm;
    } else if (rows % heads_ == 0) {
      keys_.warn_of_tensors("attention.key_length", key_width_, rows / heads_, layer_);
      key_width_ = rows / heads_;
    }
  }

  void read_keys_and_values(std::int64_t keyed_value_width) {
    const bool keyed = !plan_.kv_heads.empty();
    const std::int64_t fused = block_.rows("attn_qkv.weight");
    const std::int64_t rows = block_.rows("attn_k.weight");
    // A file without the key has as many KV heads as heads: the format's own rule.
    kv_heads_ = keyed ? of_layer(plan_.kv_heads, layer_) : heads_;
    value_width_ = keyed_value_width;
    std::int64_t counted = kv_heads_;
    if (rows > 0 && rows % key_width_ == 0) counted = rows / key_width_;
    const std::int64_t fused_kv = fused - heads_ * key_width_;
    if (fused_kv > 0 && fused_kv % (key_width_ + value_width_) == 0) counted = fused_kv / (key_width_ + value_width_);
    if (counted != kv_heads_ && keyed) keys_.warn_of_tensors("attention.head_count_kv", kv_heads_, counted, layer_);
    kv_heads_ = counted;
    const std::int64_t value_rows = block_.rows("attn_v.weight");
    if (value_rows > 0 && kv_heads_ > 0 && value_rows % kv_heads_ == 0) value_width_ = value_rows / kv_heads_;
    attention_.k_equals_v = rows > 0 && value_rows == 0;
  }

  void read_flags() {
    attention_.qkv_bias = block_.has("attn_q.bias") || block_.has("attn_qkv.bias") || block_.has("attn_k.bias");
    attention_.output_bias = block_.has("attn_output.bias");
    attention_.qk_norm = block_.has("attn_q_norm.weight") || block_.has("attn_k_norm.weight");
    attention_.output_gate = attention_.output_gate || block_.has("attn_gate.weight");
    attention_.sinks = block_.has_any("attn_sinks");
  }

  GgufKeys& keys_;
  const GgufPlan& plan_;
  int layer_;
  const GgufBlock& block_;
  Attention attention_;
  std::int64_t heads_ = 0;
  std::int64_t kv_heads_ = 0;
  std::int64_t key_width_ = 0;
  std::int64_t value_width_ = 0;
};

}  // namespace

bool is_telling(const GgufBlock& block) {
  static constexpr std::array<const char*, 6> kPrefixes{"attn_",      "ffn_",      "ssm_",
                                                        "shortconv.", "time_mix_", "channel_mix_"};
  return std::any_of(kPrefixes.begin(), kPrefixes.end(), [&](const char* p) { return block.has_any(p); });
}

int require_heads(GgufKeys& keys, const GgufPlan& plan, int layer) {
  const std::int64_t heads = of_layer(plan.heads, layer);
  if (heads == 0) keys.missing("attention.head_count", "query heads of a layer; no other number tells them", "32");
  return keys.width(heads, "attention heads");
}

GgufMixers read_mixers(GgufKeys& keys, const GgufPlan& plan, int layer, const GgufBlock& block) {
  GgufMixers mixers;
  switch (is_telling(block) ? mixer_of_tensors(block) : mixer_of_keys(keys, plan, layer)) {
    case Mixer::none:
      break;
    case Mixer::grouped:
      mixers.main = Grouped(keys, plan, layer, block).read();
      if (block.has("ssm_in.weight")) mixers.beside = read_mamba(keys, block);
      break;
    case Mixer::latent:
      mixers.main = read_latent(keys, plan, layer, block);
      break;
    case Mixer::compressed:
      mixers.main = read_compressed(keys, plan, layer, block);
      break;
    case Mixer::delta:
      mixers.main = read_delta(keys);
      break;
    case Mixer::kimi_delta:
      mixers.main = read_kimi_delta(keys, plan, layer, block);
      break;
    case Mixer::mamba:
      mixers.main = read_mamba(keys, block);
      break;
    case Mixer::convolution:
      mixers.main = read_convolution(keys, plan, block);
      break;
    case Mixer::rwkv:
      mixers.main = read_rwkv(keys, plan);
      break;
    case Mixer::projection:
      mixers.main.kind = AttentionKind::projection;
      break;
  }
  return mixers;
}

}  // namespace oblea
