#include "io/huggingface/config_towers.hpp"

#include <algorithm>
#include <string>

#include <fmt/core.h>

#include "io/huggingface/config_blocks.hpp"
#include "io/huggingface/config_keys.hpp"
#include "llm/parameters.hpp"

namespace oblea {
namespace {

namespace key = config_key;

double first_number(const JsonValue& block, std::initializer_list<std::string_view> names) {
  for (const std::string_view name : names) {
    const JsonValue* value = block.find(name);
    if (value != nullptr && value->kind == JsonValue::Kind::number && value->number > 0 && value->number < 1e6)
      return value->number;
  }
  return 0;
}

std::string first_text(const JsonValue& block, std::initializer_list<std::string_view> names) {
  for (const std::string_view name : names) {
    const JsonValue* value = block.find(name);
    if (value != nullptr && value->kind == JsonValue::Kind::string) return value->text;
  }
  return "";
}

// Three matrices: Pixtral, Qwen2.5-VL and every later tower with SiLU, and Gemma 4's.
bool is_gated(const JsonValue& tower) {
  const std::string type = first_text(tower, {"model_type"});
  return first_text(tower, {"hidden_act", "activation_function"}) == "silu" || type == "gemma4_vision";
}

double patch_and_position_parameters(const JsonValue& tower, double width) {
  const double patch = first_number(tower, {"patch_size", "spatial_patch_size"});
  const double frames = std::max(1.0, first_number(tower, {"temporal_patch_size"}));
  const double side = first_number(tower, {"image_size"});
  double positions = first_number(tower, {"num_position_embeddings", "max_source_positions", "num_patches"});
  positions += 2 * first_number(tower, {"position_embedding_size"});
  if (positions == 0 && patch > 0) positions = (side / patch) * (side / patch);
  // Llama 3.2 Vision: positions of a tile for every way to lay tiles out.
  const JsonValue* layouts = tower.find("supported_aspect_ratios");
  const double tiles = first_number(tower, {"max_num_tiles"});
  if (layouts != nullptr) positions += (1.0 + static_cast<double>(layouts->items.size())) * tiles * positions;
  return 3 * patch * patch * frames * width + positions * width;
}

// The merged patches through one or two matrices; towers without merging through one, or two where they say so.
double projector_parameters(const JsonValue& tower, double width, double hidden) {
  double merge = first_number(tower, {"spatial_merge_size"});
  if (const JsonValue* list = tower.find("merge_kernel_size"); list != nullptr && !list->items.empty())
    merge = std::clamp(list->items.front().number, 1.0, 64.0);
  const double output = first_number(tower, {"vision_output_dim"});
  if (merge <= 1) return (output > 0 ? output : width) * hidden;
  const double merged = width * merge * merge;
  const JsonValue* deep = tower.find("deepstack_visual_indexes");
  const double outputs = 1.0 + (deep != nullptr ? static_cast<double>(deep->items.size()) : 0.0);
  return outputs * (merged * merged + merged * hidden);
}

// At most 1e15: nothing that a file says can overflow.
std::int64_t to_count(double parameters) { return static_cast<std::int64_t>(std::min(parameters, 1e15)); }

}  // namespace

std::int64_t tower_parameters(const JsonValue& tower, std::int64_t hidden) {
  const double width = first_number(tower, {"embed_dim", "vt_hidden_size", "hidden_size", "d_model", "width"});
  const double layers =
      first_number(tower, {"num_hidden_layers", "depth", "vt_num_hidden_layers", "layers", "encoder_layers"}) +
      first_number(tower, {"num_global_layers"});
  if (width <= 0 || layers <= 0) return 0;
  double mlp = first_number(tower, {"intermediate_size", "vt_intermediate_size", "encoder_ffn_dim"});
  const double ratio = first_number(tower, {"mlp_ratio"});
  if (mlp == 0) mlp = width * (ratio > 0 ? ratio : 4);
  double inner = first_number(tower, {"qkv_hidden_size"});
  if (inner == 0) inner = first_number(tower, {"head_dim"}) * first_number(tower, {"num_attention_heads", "num_heads"});
  if (inner == 0) inner = width;
  const double matrices = 4 * width * inner + (is_gated(tower) ? 3 : 2) * width * mlp;
  const double vectors = 3 * inner + mlp + 6 * width;
  return to_count(layers * (matrices + vectors) + patch_and_position_parameters(tower, width) +
                  projector_parameters(tower, width, static_cast<double>(hidden)));
}

std::int64_t read_extra_parameters(ConfigReader& reader, const FamilyFacts& facts, const ModelSpec& model) {
  double extra = 0;
  const auto hidden = static_cast<double>(model.hidden);
  for (const ConfigBlock& tower : find_towers(*reader.blocks().back())) {
    const std::int64_t parameters = tower_parameters(*tower.value, model.hidden);
    if (parameters <= 0) {
      reader.warn(tower.value, fmt::format("{} does not say how large it is; it is left out", tower.path));
      continue;
    }
    reader.warn(tower.value, fmt::format("{}: {:.0f} M parameters, an estimate by its geometry", tower.path,
                                         static_cast<double>(parameters) / 1e6));
    extra += static_cast<double>(parameters);
  }
  // Gemma 3n and 4: an embedding of its own for every layer, and one projection to all of them.
  if (const std::int64_t width = reader.size(key::kLayerInput); width > 0) {
    std::int64_t vocabulary = reader.size(key::kLayerVocabulary);
    if (vocabulary == 0) vocabulary = model.vocabulary;
    extra += static_cast<double>(model.layers.size()) * static_cast<double>(width) *
             (static_cast<double>(vocabulary) + hidden);
  }
  // AltUp widens to its further streams and back.
  if (const std::int64_t streams = reader.size(key::kAltUp); streams > 1)
    extra += 2 * static_cast<double>(streams - 1) * hidden * hidden;
  if (facts.learned_positions) extra += static_cast<double>(reader.size(key::kContext)) * hidden;
  return to_count(extra);
}

std::int64_t read_prediction_parameters(ConfigReader& reader, const ModelSpec& model) {
  const std::int64_t count = reader.size(key::kPredictLayers);
  if (count <= 0 || model.layers.empty()) return 0;
  std::int64_t largest = 0;
  for (const Layer& layer : model.layers) largest = std::max(largest, layer_parameters(layer, model.hidden));
  const std::int64_t parameters =
      to_count(static_cast<double>(count) * static_cast<double>(largest + 2 * model.hidden * model.hidden));
  reader.warn(
      reader.find(key::kPredictLayers),
      fmt::format("{} multi-token-prediction {}, about {:.2f} B parameters, left out: engines load them only to "
                  "speculate",
                  count, count == 1 ? "layer" : "layers", static_cast<double>(parameters) / 1e9));
  return parameters;
}

}  // namespace oblea
