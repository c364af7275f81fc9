#include "io/huggingface/config_model.hpp"

#include <algorithm>
#include <cctype>
#include <filesystem>

#include <fmt/core.h>

#include "base/limits.hpp"
#include "base/printable.hpp"
#include "base/suggest.hpp"
#include "io/huggingface/config_attention.hpp"
#include "io/huggingface/config_blocks.hpp"
#include "io/huggingface/config_families.hpp"
#include "io/huggingface/config_keys.hpp"
#include "io/huggingface/config_mlp.hpp"
#include "io/huggingface/config_overrides.hpp"
#include "io/huggingface/config_plan.hpp"
#include "io/huggingface/config_quantization.hpp"
#include "io/huggingface/config_reader.hpp"
#include "io/huggingface/config_recurrent.hpp"
#include "io/huggingface/config_towers.hpp"
#include "io/huggingface/safetensors_index.hpp"
#include "io/text_file.hpp"
#include "llm/plausible.hpp"

namespace oblea {
namespace {

namespace key = config_key;

// "meta-llama/Llama-3.1-8B" or a path, as a name and an id of letters, digits, dots and dashes.
std::string last_part(const std::string& path) {
  const std::size_t end = path.find_last_not_of("/\\");
  if (end == std::string::npos) return "";
  const std::size_t slash = path.find_last_of("/\\", end);
  return path.substr(slash == std::string::npos ? 0 : slash + 1,
                     end - (slash == std::string::npos ? 0 : slash + 1) + 1);
}

std::string id_of(const std::string& name) {
  std::string id;
  for (const char c : name) {
    const auto u = static_cast<unsigned char>(c);
    const bool kept = u < 0x80 && (std::isalnum(u) != 0 || c == '.' || c == '-');
    id += kept ? static_cast<char>(std::tolower(u)) : '-';
  }
  return id.empty() ? "model" : id;
}

// By what the file calls itself, else by its own name, or its folder's where it is just "config.json".
std::string name_of(ConfigReader& reader, const std::string& file) {
  constexpr std::size_t kLongest = 80;
  std::string name = last_part(reader.text({"name", {"_name_or_path", "name_or_path"}}));
  const std::filesystem::path path(file);
  if (name.empty()) name = path.stem() == "config" ? path.parent_path().filename().string() : path.stem().string();
  if (name.empty() || name == ".") name = reader.text(key::kModelType);
  return printable(cut_text(name.empty() ? "model" : name, kLongest));
}

bool refuse(ConfigReader& reader, const std::vector<ConfigBlock>& blocks) {
  const JsonValue* type = blocks.front().value->find("model_type");
  if (type == nullptr || type->kind != JsonValue::Kind::string) type = blocks.back().value->find("model_type");
  if (type != nullptr && type->kind == JsonValue::Kind::string) {
    for (const std::string_view name : {std::string_view(type->text), base_type(type->text)}) {
      const std::string_view reason = refusal_of(name);
      if (reason.empty()) continue;
      reader.fault(type, fmt::format("a model of type \"{}\" is not imported: {}", printable(name), reason));
      return true;
    }
  }
  const JsonValue* two = blocks.back().value->find("is_encoder_decoder");
  if (two == nullptr || two->kind != JsonValue::Kind::boolean || !two->boolean) return false;
  reader.fault(two, fmt::format("not imported: {}", refusal_of("t5")));
  return true;
}

bool is_tied(ConfigReader& reader, const FamilyFacts& facts, std::string_view model_type) {
  if (!is_known_family(model_type))
    reader.warn(reader.find(key::kModelType),
                fmt::format("model type \"{}\" is not known: its keys are read as a Llama's would be",
                            printable(cut_text(model_type, 40))),
                "compare the count of parameters with the published one");
  return reader.flag_or(key::kTied, facts.tied);
}

std::int64_t max_context(ConfigReader& reader, const FamilyFacts& facts) {
  if (const std::int64_t tokens = reader.size(key::kContext); tokens > 0) return tokens;
  if (facts.context > 0) {
    reader.warn(nullptr, fmt::format("the file does not say how long a context may be; {} tokens, as the family was "
                                     "trained with, are taken",
                                     facts.context));
    return facts.context;
  }
  reader.warn(nullptr, "the file does not say how long a context may be; no limit is taken");
  return static_cast<std::int64_t>(kMaxContextTokens);
}

// Activations that cross from layer to layer, in hidden sizes: streams of hyper-connections (DeepSeek V4: 4) or AltUp,
// or Kimi K3's residuals of earlier blocks: of 93 layers in blocks of 12, 8 blocks, 1 + (1 + 8) / 2 = 5.5 on average.
double boundary_factor(ConfigReader& reader, std::size_t layers) {
  if (const std::int64_t streams = reader.size(key::kHyperStreams); streams > 0) return static_cast<double>(streams);
  if (const std::int64_t streams = reader.size(key::kAltUp); streams > 0) return static_cast<double>(streams);
  const std::int64_t block = reader.size(key::kResidualBlock);
  if (block <= 0) return 1;
  const std::int64_t blocks = (static_cast<std::int64_t>(layers) + block - 1) / block;
  return 1 + (1 + static_cast<double>(blocks)) / 2;
}

Layer read_layer(ConfigReader& reader, const FamilyFacts& facts, const LayerPlan& plan, std::size_t index) {
  Layer layer;
  layer.attention = read_attention(reader, facts, plan, index);
  if (reader.has(key::kBesideWidth) && layer.attention.kind == AttentionKind::full)
    layer.beside = read_state_space(reader);
  layer.mlp = read_mlp(reader, facts, plan, index);
  layer.norms = plan.single ? 1 : facts.norms;
  layer.side_width = reader.size(key::kLayerInput) + reader.size(key::kLaurel);
  return layer;
}

ModelSpec read_spec(ConfigReader& reader, const FamilyFacts& facts, const std::string& model_type,
                    const std::string& file) {
  ModelSpec model;
  model.name = name_of(reader, file);
  model.id = id_of(model.name);
  model.family = facts.family.empty() ? printable(base_type(model_type)) : std::string(facts.family);
  if (model.family.empty()) model.family = "llama";
  model.hidden = reader.required_size(key::kHidden);
  model.vocabulary = reader.required_size(key::kVocabulary);
  model.tied_embeddings = is_tied(reader, facts, model_type);
  model.max_context = max_context(reader, facts);
  const std::vector<LayerPlan> plan = plan_layers(reader, facts);
  model.boundary_factor = boundary_factor(reader, plan.size());
  for (std::size_t i = 0; i < plan.size(); ++i) model.layers.push_back(read_layer(reader, facts, plan[i], i));
  model.native_format = read_native_format(reader);
  model.extra_parameters = read_extra_parameters(reader, facts, model);
  model.source = fmt::format("imported from {}", printable(cut_text(last_part(file), 80)));
  model.date = day_written(file);
  model.confidence = "datasheet";
  return model;
}

struct Parsed {
  ModelSpec model;
  std::int64_t prediction_parameters = 0;
};

Result<Parsed> parse(std::string text, const std::string& file, const std::vector<KeyOverride>& overrides,
                     Diagnostics& warnings) {
  Diagnostics noted;
  Result<JsonDocument> document = JsonDocument::parse_lenient(std::move(text), file, noted);
  if (!document) return fail(document.error());
  if (document->root().kind != JsonValue::Kind::object)
    return fail({{Severity::error, document->place(document->root()), "a config.json holds an object", ""}});
  const std::vector<std::string> paths = apply_overrides(*document, overrides, noted);
  const std::vector<ConfigBlock> blocks = find_language_blocks(document->root());
  std::vector<const JsonValue*> values;
  values.reserve(blocks.size());
  for (const ConfigBlock& block : blocks) values.push_back(block.value);
  ConfigReader reader(*document, values, noted);
  Parsed parsed;
  if (!refuse(reader, blocks)) {
    const std::string model_type = reader.text(key::kModelType);
    reader.use_defaults(base_type(model_type), class_defaults());
    parsed.model = read_spec(reader, family_facts(model_type), model_type, file);
    if (const std::string beyond = find_implausible(parsed.model); !beyond.empty())
      reader.fault(nullptr, beyond);
    else
      parsed.prediction_parameters = read_prediction_parameters(reader, parsed.model);
    report_unused(reader, overrides, paths);
  }
  if (has_errors(noted)) return fail(std::move(noted));
  warnings.insert(warnings.end(), noted.begin(), noted.end());
  return parsed;
}

}  // namespace

Result<ModelSpec> parse_config_model(std::string text, const std::string& file,
                                     const std::vector<KeyOverride>& overrides, Diagnostics& warnings) {
  Result<Parsed> parsed = parse(std::move(text), file, overrides, warnings);
  if (!parsed) return fail(parsed.error());
  return std::move(parsed->model);
}

Result<ModelSpec> read_config_model(const std::string& path, const std::vector<KeyOverride>& overrides,
                                    Diagnostics& warnings) {
  Result<std::string> text = read_text_file(path, kMaxInputBytes);
  if (!text) return fail(text.error());
  Result<Parsed> parsed = parse(std::move(*text), path, overrides, warnings);
  if (!parsed) return fail(parsed.error());
  const std::string folder = std::filesystem::path(path).parent_path().string();
  add_stored_weights(parsed->model, folder, parsed->prediction_parameters, warnings);
  return std::move(parsed->model);
}

}  // namespace oblea
