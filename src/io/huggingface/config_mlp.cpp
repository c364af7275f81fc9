#include "io/huggingface/config_mlp.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/core.h>

#include "io/huggingface/config_keys.hpp"

namespace oblea {
namespace {

namespace key = config_key;

std::int64_t round_up(std::int64_t value, std::int64_t multiple) {
  return multiple > 0 ? (value + multiple - 1) / multiple * multiple : value;
}

// Squared ReLU has no gate in any family.
bool is_gated(ConfigReader& reader, const FamilyFacts& facts) {
  return facts.gated && reader.text(key::kActivation) != "relu2";
}

// LFM2 writes the width before SwiGLU's two thirds. Example: 12,288 x 2/3 = 8,192, a multiple of 256 already.
std::int64_t adjusted(ConfigReader& reader, std::int64_t width) {
  if (!reader.flag_or(key::kAdjustWidth, false)) return width;
  width = 2 * width / 3;
  if (const double factor = reader.number(key::kWidthMultiplier); factor > 0 && factor < 1e3)
    width = static_cast<std::int64_t>(factor * static_cast<double>(width));
  return round_up(width, reader.size(key::kWidthMultiple));
}

// DeciLM: 2/3 of a multiple of 2 x hidden, rounded up to 256; its later files write the width itself.
// Example: 5.25, hidden 8192: 2 x 5.25 x 8192 / 3 = 28,672.
std::int64_t block_width(const LayerPlan& plan, std::int64_t hidden) {
  if (plan.block == nullptr) return 0;
  const auto number = [&](std::string_view path) {
    const std::vector<const JsonValue*> trail = resolve_path(*plan.block, path);
    return !trail.empty() && trail.back()->kind == JsonValue::Kind::number ? trail.back()->number : 0;
  };
  if (const double width = number("ffn.intermediate_size"); width >= 1 && width < 1e8)
    return static_cast<std::int64_t>(width);
  const double multiple = number("ffn.ffn_mult");
  if (!(multiple > 0 && multiple < 1e3)) return 0;
  return round_up(static_cast<std::int64_t>(2 * multiple * static_cast<double>(hidden) / 3), 256);
}

// OpenELM: a multiple of hidden for each layer, to the nearest whole divisor.
std::int64_t multiplied_width(ConfigReader& reader, std::int64_t hidden, std::size_t index) {
  const JsonValue* list = reader.find(key::kWidthMultipliers);
  if (list == nullptr || list->kind != JsonValue::Kind::array || index >= list->items.size()) return 0;
  const double multiple = list->items[index].number;
  const auto divisor = static_cast<double>(std::max<std::int64_t>(reader.size(key::kWidthDivisor), 1));
  if (!(multiple > 0 && multiple < 1e3)) return 0;
  return static_cast<std::int64_t>(
      std::max(divisor, std::floor(multiple * static_cast<double>(hidden) / divisor + 0.5) * divisor));
}

std::int64_t dense_width(ConfigReader& reader, const FamilyFacts& facts, const LayerPlan& plan, std::size_t index) {
  const std::int64_t hidden = reader.size(key::kHidden);
  if (const std::int64_t width = block_width(plan, hidden); width > 0) return width;
  if (const std::int64_t width = multiplied_width(reader, hidden, index); width > 0) return width;
  if (const double ratio = reader.number(key::kExpansion); ratio > 0 && ratio < 1e3 && !reader.has(key::kIntermediate))
    return static_cast<std::int64_t>(ratio * static_cast<double>(hidden));
  // Four times hidden is what the classes without a key for it do (GPT-2, Falcon, BLOOM, GPT-J).
  if (!reader.has(key::kIntermediate) && !facts.gated && hidden > 0) return 4 * hidden;
  if (!reader.has(key::kIntermediate) && reader.has(key::kSharedWidth))
    return reader.layer_size(key::kSharedWidth, index);
  std::int64_t width = adjusted(reader, reader.layer_size(key::kIntermediate, index, true));
  if (facts.half_width) width /= 2;
  return plan.shares_kv && reader.flag_or(key::kDoubleWide, false) ? 2 * width : width;
}

// The entry of a list for this layer, or the first where a list says something else (ERNIE: text and vision experts).
std::int64_t expert_width(ConfigReader& reader, std::size_t index, std::size_t layers) {
  const std::vector<std::int64_t> list = reader.integers(key::kExpertWidth);
  if (!list.empty() && list.size() < layers) return list.front();
  const std::int64_t width = reader.layer_size(key::kExpertWidth, index);
  return width > 0 ? width : reader.layer_size(key::kIntermediate, index, true);
}

void read_shared(ConfigReader& reader, Mlp& mlp, std::size_t index) {
  const std::int64_t count = reader.layer_size(key::kShared, index);
  std::int64_t width = reader.layer_size(key::kSharedWidth, index);
  const bool llama_four = reader.has(key::kChunk) && reader.has({"", {"interleave_moe_layer_step"}});
  if (width == 0) width = count > 0 ? count * mlp.intermediate : llama_four ? mlp.intermediate : 0;
  if (width == 0) return;
  mlp.shared_experts = static_cast<int>(std::max<std::int64_t>(count, 1));
  mlp.shared_intermediate = width;
}

void read_experts(ConfigReader& reader, const FamilyFacts& facts, const LayerPlan& plan, std::size_t index, Mlp& mlp) {
  mlp.kind = MlpKind::moe;
  mlp.experts = static_cast<int>(reader.required_size(key::kExperts));
  mlp.active_experts = static_cast<int>(reader.layer_size(key::kActive, index, true));
  mlp.intermediate = expert_width(reader, index, 3);
  mlp.expert_hidden = reader.size(key::kExpertHidden);
  read_shared(reader, mlp, index);
  if (reader.flag_or(key::kMoeBeside, false)) mlp.dense_intermediate = dense_width(reader, facts, plan, index);
  if (mlp.active_experts > mlp.experts)
    reader.fault(reader.find(key::kActive),
                 fmt::format("{} experts a token, but there are only {}", mlp.active_experts, mlp.experts));
}

}  // namespace

Mlp read_mlp(ConfigReader& reader, const FamilyFacts& facts, const LayerPlan& plan, std::size_t index) {
  Mlp mlp;
  mlp.gated = is_gated(reader, facts);
  mlp.bias = !reader.flag_or(key::kNoBias, false) && reader.flag_or(key::kMlpBias, facts.mlp_bias);
  switch (plan.feed) {
    case Feed::none:
      return {.kind = MlpKind::none};
    case Feed::projection:
      return {.kind = MlpKind::projection};
    case Feed::moe:
      read_experts(reader, facts, plan, index, mlp);
      return mlp;
    case Feed::dense:
      break;
  }
  const std::int64_t among_experts = reader.size(key::kExperts) > 1 ? reader.size(key::kDenseWidth) : 0;
  mlp.intermediate = among_experts > 0 ? among_experts : dense_width(reader, facts, plan, index);
  return mlp;
}

}  // namespace oblea
