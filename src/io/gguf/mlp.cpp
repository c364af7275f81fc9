#include "io/gguf/mlp.hpp"

#include <algorithm>
#include <array>

#include "io/gguf/attention.hpp"

namespace oblea {
namespace {

// Families with two matrices instead of three, for headers without tensors. Source: llama.cpp, src/models, read
// 2026-11.
bool has_two_matrices(std::string_view architecture) {
  static constexpr std::array<std::string_view, 21> kFamilies{
      "gpt2",  "gptj",      "gptneox",        "bloom",      "falcon",         "mpt",   "starcoder", "starcoder2",
      "phi2",  "codeshell", "nemotron",       "nemotron_h", "nemotron_h_moe", "jais2", "arcee",     "apertus",
      "rwkv6", "rwkv7",     "pangu-embedded", "plm",        "talkie"};
  return std::find(kFamilies.begin(), kFamilies.end(), architecture) != kFamilies.end();
}

int active_experts(GgufKeys& keys) {
  const std::int64_t active = keys.integer("expert_used_count").value_or(0);
  if (active <= 0) keys.missing("expert_used_count", "experts that a token visits", "8");
  return keys.width(active, "experts that a token visits");
}

int shared_experts(GgufKeys& keys) {
  return static_cast<int>(std::max<std::int64_t>(1, keys.integer("expert_shared_count").value_or(1)));
}

struct ExpertShape {
  std::int64_t count = 0;
  std::int64_t width = 0;         // what an expert sees
  std::int64_t intermediate = 0;  // what it widens to
  bool gated = false;
};

ExpertShape shape_of_experts(const GgufBlock& block) {
  if (block.has("ffn_down_exps.weight")) {
    return {block.matrices("ffn_down_exps.weight"), block.rows("ffn_down_exps.weight"),
            block.columns("ffn_down_exps.weight"),
            block.has("ffn_gate_exps.weight") || block.has("ffn_gate_up_exps.weight")};
  }
  const auto is_down = [](const auto& entry) {
    return entry.first.starts_with("ffn_down.") && is_routed_expert(entry.first) && entry.first.ends_with(".weight");
  };
  ExpertShape shape;
  shape.count = std::count_if(block.tensors().begin(), block.tensors().end(), is_down);
  shape.width = block.rows("ffn_down.0.weight");
  shape.intermediate = block.columns("ffn_down.0.weight");
  shape.gated = block.has("ffn_gate.0.weight");
  return shape;
}

Mlp dense_of_tensors(GgufKeys& keys, const GgufPlan& plan, int layer, const GgufBlock& block) {
  Mlp mlp;
  const std::int64_t down = block.columns("ffn_down.weight");
  const std::int64_t up = block.rows("ffn_up.weight");
  if (down == 0 && up == 0) {
    mlp.intermediate = block.rows("channel_mix_key.weight");
    mlp.gated = mlp.intermediate == 0;
    if (mlp.intermediate == 0) mlp.kind = MlpKind::none;
    return mlp;
  }
  mlp.intermediate = down > 0 ? down : up;
  mlp.gated = block.has("ffn_gate.weight") || up == 2 * mlp.intermediate;
  mlp.bias = block.has("ffn_down.bias");
  const std::int64_t keyed = plan.feed_forward.empty() ? 0 : plan.feed_forward[static_cast<std::size_t>(layer)];
  if (keyed > 0 && keyed != mlp.intermediate && !keys.has("expert_count")) {
    keys.warn_of_tensors("feed_forward_length", keyed, mlp.intermediate, layer);
  }
  return mlp;
}

Mlp experts_of_tensors(GgufKeys& keys, const GgufPlan& plan, const GgufBlock& block, const ExpertShape& shape) {
  Mlp mlp;
  mlp.kind = MlpKind::moe;
  mlp.experts = keys.width(shape.count, "experts");
  mlp.active_experts = std::min(active_experts(keys), std::max(1, mlp.experts));
  mlp.intermediate = shape.intermediate;
  mlp.gated = shape.gated;
  mlp.bias = block.has("ffn_down_exps.bias");
  mlp.expert_hidden = shape.width == plan.hidden ? 0 : shape.width;
  mlp.shared_intermediate = block.columns("ffn_down_shexp.weight");
  mlp.shared_experts = mlp.shared_intermediate > 0 ? shared_experts(keys) : 0;
  mlp.dense_intermediate = block.columns("ffn_down.weight");
  return mlp;
}

bool has_experts_by_keys(GgufKeys& keys, int layer) {
  if (keys.integer("expert_count").value_or(0) <= 0) return false;
  if (layer < keys.integer("leading_dense_block_count").value_or(0)) return false;
  const std::int64_t step = keys.integer("interleave_moe_layer_step").value_or(1);
  return step <= 1 || (layer + 1) % step == 0;
}

Mlp experts_of_keys(GgufKeys& keys, std::int64_t keyed_width) {
  Mlp mlp;
  mlp.kind = MlpKind::moe;
  mlp.experts = keys.width(keys.integer("expert_count").value_or(0), "experts");
  mlp.active_experts = std::min(active_experts(keys), mlp.experts);
  mlp.intermediate = keys.integer("expert_feed_forward_length").value_or(keyed_width);
  if (mlp.intermediate <= 0) keys.missing("expert_feed_forward_length", "the width of an expert", "1408");
  mlp.gated = !has_two_matrices(keys.architecture());
  const std::int64_t shared = keys.integer("expert_shared_count").value_or(0);
  mlp.shared_intermediate = keys.integer("expert_shared_feed_forward_length").value_or(shared * mlp.intermediate);
  mlp.shared_experts = mlp.shared_intermediate > 0 ? shared_experts(keys) : 0;
  mlp.expert_hidden = keys.integer("moe_latent_size").value_or(0);
  return mlp;
}

Mlp mlp_of_keys(GgufKeys& keys, const GgufPlan& plan, int layer) {
  const std::int64_t keyed = plan.feed_forward.empty() ? 0 : plan.feed_forward[static_cast<std::size_t>(layer)];
  if (has_experts_by_keys(keys, layer)) return experts_of_keys(keys, keyed);
  Mlp mlp;
  mlp.intermediate = keyed;
  mlp.gated = !has_two_matrices(keys.architecture());
  const bool unsaid = plan.feed_forward.empty() && !keys.has("ssm.inner_size");
  if (unsaid && !plan.has_tensors) keys.missing("feed_forward_length", "the width of the feed-forward part", "14336");
  if (unsaid && plan.has_tensors) {
    keys.warn(
        "neither " + keys.full_name("feed_forward_length") + " nor tensors show a feed-forward part: there is none",
        "if there is one: --override " + keys.full_name("feed_forward_length") + "=14336");
  }
  if (keyed == 0) return Mlp{.kind = MlpKind::none};
  return mlp;
}

}  // namespace

bool is_routed_expert(std::string_view rest) {
  if (!rest.starts_with("ffn_")) return false;
  if (rest.find("_exps.") != std::string_view::npos || rest.find("_chexps.") != std::string_view::npos) {
    return !rest.starts_with("ffn_norm");
  }
  const std::size_t dot = rest.find('.');
  return dot != std::string_view::npos && dot + 1 < rest.size() && rest[dot + 1] >= '0' && rest[dot + 1] <= '9';
}

Mlp read_mlp(GgufKeys& keys, const GgufPlan& plan, int layer, const GgufBlock& block) {
  if (!is_telling(block)) return mlp_of_keys(keys, plan, layer);
  const ExpertShape shape = shape_of_experts(block);
  return shape.count > 0 ? experts_of_tensors(keys, plan, block, shape) : dense_of_tensors(keys, plan, layer, block);
}

}  // namespace oblea
