#include "io/huggingface/config_blocks.hpp"

#include <algorithm>
#include <array>
#include <string_view>

#include <fmt/core.h>

#include "io/huggingface/config_families.hpp"
#include "io/huggingface/config_keys.hpp"
#include "io/huggingface/config_reader.hpp"

namespace oblea {
namespace {

constexpr std::array<std::string_view, 13> kLanguageNames{"text_config",
                                                          "llm_config",
                                                          "language_config",
                                                          "language_model_config",
                                                          "language_model",
                                                          "text_model",
                                                          "thinker_config",
                                                          "lm_config",
                                                          "llm",
                                                          "decoder",
                                                          "decoder_config",
                                                          "text_cfg",
                                                          "backbone_config"};

constexpr std::array<std::string_view, 8> kTowerNames{"vision_config", "visual",        "vision_tower",
                                                      "vision_cfg",    "audio_config",  "audio_encoder",
                                                      "vit_config",    "encoder_config"};

bool holds(const JsonValue& block, const ConfigKey& key) {
  return std::any_of(key.names.begin(), key.names.end(), [&](std::string_view name) {
    const std::vector<const JsonValue*> trail = resolve_path(block, name);
    return !trail.empty() && trail.back()->kind != JsonValue::Kind::null;
  });
}

bool holds_layer_count(const JsonValue& block) {
  return holds(block, config_key::kLayers) || holds(block, config_key::kLayerTypes) ||
         holds(block, config_key::kHybridPattern) || holds(block, config_key::kBlockConfigs);
}

// A class whose defaults fill in the count ("model_type": "llama" and little else, as LLaVA writes it).
bool has_default_count(const JsonValue& block) {
  const JsonValue* type = block.find("model_type");
  if (type == nullptr || type->kind != JsonValue::Kind::string) return false;
  const std::string_view base = base_type(type->text);
  return std::any_of(class_defaults().begin(), class_defaults().end(), [&](const ClassDefault& entry) {
    return entry.model_type == base && entry.key == "num_hidden_layers";
  });
}

bool is_object(const JsonValue& value) { return value.kind == JsonValue::Kind::object; }

template <std::size_t N>
bool is_one_of(const std::array<std::string_view, N>& names, std::string_view name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

// Members of the known names in their order of trust, then any other object that is no tower.
std::vector<const JsonMember*> candidates(const JsonValue& block) {
  std::vector<const JsonMember*> found;
  for (const std::string_view name : kLanguageNames) {
    for (const JsonMember& member : block.members) {
      if (member.key == name && is_object(member.value)) found.push_back(&member);
    }
  }
  return found;
}

std::string join(const std::string& path, const std::string& key) {
  return path.empty() ? key : fmt::format("{}.{}", path, key);
}

}  // namespace

std::vector<ConfigBlock> find_language_blocks(const JsonValue& root) {
  std::vector<ConfigBlock> blocks{{"", &root}};
  for (bool deeper = true; deeper && blocks.size() < 4;) {
    deeper = false;
    const ConfigBlock outer = blocks.front();
    for (const JsonMember* member : candidates(*outer.value)) {
      const bool counts = holds_layer_count(member->value);
      const bool leads_on = !counts && !candidates(member->value).empty();
      const bool by_class = !holds_layer_count(*outer.value) && has_default_count(member->value);
      if (!counts && !leads_on && !by_class) continue;
      blocks.insert(blocks.begin(), {join(outer.path, member->key), &member->value});
      deeper = true;
      break;
    }
  }
  return blocks;
}

std::vector<ConfigBlock> find_towers(const JsonValue& root) {
  std::vector<ConfigBlock> towers;
  std::vector<ConfigBlock> open{{"", &root}};
  for (std::size_t i = 0; i < open.size(); ++i) {
    const ConfigBlock block = open[i];
    for (const JsonMember& member : block.value->members) {
      if (!is_object(member.value)) continue;
      if (is_one_of(kTowerNames, member.key)) towers.push_back({join(block.path, member.key), &member.value});
      if (member.key == "thinker_config") open.push_back({join(block.path, member.key), &member.value});
    }
  }
  return towers;
}

}  // namespace oblea
