#include "io/huggingface/config_plan.hpp"

#include <algorithm>

#include <fmt/core.h>

#include "base/limits.hpp"
#include "io/huggingface/config_draft.hpp"
#include "io/huggingface/config_keys.hpp"

namespace oblea {
namespace {

namespace key = config_key;

std::size_t count_layers(ConfigReader& reader) {
  std::size_t count = static_cast<std::size_t>(reader.size(key::kLayers));
  if (count == 0) count = reader.texts(key::kLayerTypes).size();
  if (count == 0) count = hybrid_pattern(reader).size();
  if (const JsonValue* blocks = reader.find(key::kBlockConfigs); count == 0 && blocks != nullptr)
    count = blocks->items.size();
  if (count == 0) count = static_cast<std::size_t>(reader.required_size(key::kLayers));
  if (count > static_cast<std::size_t>(kMaxLayers)) {
    reader.fault(reader.find(key::kLayers), fmt::format("the model has more than {} layers", kMaxLayers));
    return 0;
  }
  return count;
}

void set_usual(PlanDraft& draft) {
  const bool latent = draft.reader.has(key::kKvLora);
  const bool recurrent = !draft.reader.has(key::kHeads) && draft.reader.has(key::kSsmState);
  const bool mamba_two = draft.facts.model_type == "mamba2";
  for (LayerPlan& layer : draft.layers) {
    layer.mixer = recurrent || mamba_two ? Mixer::ssm : latent ? Mixer::latent : Mixer::full;
    if (layer.mixer == Mixer::ssm) layer.feed = Feed::none;
  }
}

// DeciLM: each block says what it left out, or put one matrix in its place.
void set_blocks(PlanDraft& draft) {
  const JsonValue* blocks = draft.reader.find(key::kBlockConfigs);
  if (blocks == nullptr || blocks->kind != JsonValue::Kind::array) return;
  if (blocks->items.size() < draft.layers.size())
    return draft.reader.fault(
        blocks, fmt::format("block_configs: {} entries for {} layers", blocks->items.size(), draft.layers.size()));
  const auto says = [](const JsonValue& block, std::string_view path) {
    const std::vector<const JsonValue*> trail = resolve_path(block, path);
    return !trail.empty() && trail.back()->kind == JsonValue::Kind::boolean && trail.back()->boolean;
  };
  for (std::size_t i = 0; i < draft.layers.size(); ++i) {
    const JsonValue& block = blocks->items[i];
    draft.layers[i].block = &block;
    if (says(block, "attention.no_op")) draft.layers[i].mixer = Mixer::none;
    if (says(block, "attention.replace_with_linear")) draft.layers[i].mixer = Mixer::projection;
    if (says(block, "ffn.no_op")) draft.layers[i].feed = Feed::none;
    if (says(block, "ffn.replace_with_linear")) draft.layers[i].feed = Feed::projection;
  }
}

void set_sparse(PlanDraft& draft) {
  if (!draft.reader.has(key::kIndexHeads) || draft.reader.flag(key::kUseSparse) == false) return;
  std::vector<std::int64_t> layers = draft.reader.integers(key::kSparseLayers);
  const bool listed = draft.fits(key::kSparseLayers, layers);
  for (std::size_t i = 0; i < draft.layers.size(); ++i) {
    const bool attends = draft.layers[i].mixer == Mixer::full || draft.layers[i].mixer == Mixer::latent;
    if (attends) draft.layers[i].indexed = !listed || layers[i] != 0;
  }
}

void set_cross(PlanDraft& draft) {
  for (const std::int64_t layer : draft.reader.integers(key::kCrossLayers)) {
    if (layer >= 0 && layer < static_cast<std::int64_t>(draft.layers.size()))
      draft.layers[static_cast<std::size_t>(layer)].mixer = Mixer::cross;
  }
}

// Gemma 3n and 4: the last layers; Hunyuan: all but the first of every few.
void set_shared(PlanDraft& draft) {
  const auto factor = static_cast<std::size_t>(draft.reader.size(key::kShareFactor));
  if (factor > 1 && draft.reader.flag_or(key::kSharesAcross, false)) {
    for (std::size_t i = 0; i < draft.layers.size(); ++i) draft.layers[i].shares_kv = i % factor != 0;
  }
  const auto shared = static_cast<std::size_t>(draft.reader.size(key::kSharedKvLayers));
  if (shared >= draft.layers.size()) {
    if (shared > 0)
      draft.reader.fault(draft.reader.find(key::kSharedKvLayers), "as many layers share KV as there are layers");
    return;
  }
  for (std::size_t i = draft.layers.size() - shared; i < draft.layers.size(); ++i) draft.layers[i].shares_kv = true;
}

}  // namespace

std::vector<LayerPlan> plan_layers(ConfigReader& reader, const FamilyFacts& facts) {
  PlanDraft draft{reader, facts, std::vector<LayerPlan>(count_layers(reader))};
  if (draft.layers.empty()) return {};
  set_usual(draft);
  plan_by_compression(draft) || plan_by_list(draft) || plan_by_pattern(draft) || plan_by_numbers(draft) ||
      plan_windows(draft);
  set_blocks(draft);
  set_sparse(draft);
  set_cross(draft);
  set_shared(draft);
  plan_feeds(draft);
  return std::move(draft.layers);
}

}  // namespace oblea
