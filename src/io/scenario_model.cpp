#include "io/scenario_model.hpp"

#include <algorithm>

#include <fmt/core.h>

#include "base/limits.hpp"
#include "io/import_model.hpp"
#include "io/model_file.hpp"
#include "io/path_beside.hpp"
#include "llm/mixture.hpp"

namespace oblea {
namespace {

std::vector<std::string> mixture_names() {
  std::vector<std::string> names;
  for (const Mixture& mixture : all_mixtures()) names.push_back(mixture.name);
  return names;
}

// Files end in what they are; ids hold dots ("qwen2.5-7b") and no slashes.
bool is_model_path(const std::string& id) {
  if (id.find('/') != std::string::npos) return true;
  return id.ends_with(".gguf") || id.ends_with(".json") || id.ends_with(".safetensors") || id == "." || id == "..";
}

// "override": keys of the model's own file that it lacks, or has wrong.
std::vector<KeyOverride> parse_key_overrides(ObjectReader& reader) {
  std::vector<KeyOverride> overrides;
  const JsonValue* value = reader.optional("override");
  if (value == nullptr) return overrides;
  if (value->kind != JsonValue::Kind::object) {
    reader.fault(*value, "\"override\" must be an object of keys and values");
    return overrides;
  }
  for (const JsonMember& member : value->members) {
    const bool quoted = member.value.kind == JsonValue::Kind::string;
    const std::string text = quoted ? member.value.text : reader.document().text_of(member.value);
    overrides.push_back({member.key, text, fmt::format("override {} = {}", member.key, text)});
  }
  return overrides;
}

Result<ModelSpec> find_or_import(ObjectReader& reader, const Shelves& shelves, const std::string& id,
                                 const std::vector<KeyOverride>& overrides, Diagnostics& warnings) {
  if (!is_model_path(id)) {
    if (!overrides.empty()) reader.fault(*reader.optional("override"), "a model of the library takes no \"override\"");
    return find_model(shelves.models_folder, id, warnings);
  }
  return import_model(path_beside(reader, *reader.optional("id"), id), overrides, warnings);
}

constexpr double kMaxGuesses = 64;     // of a draft model, a step
constexpr double kMaxWidth = 1 << 20;  // of a vision tower

std::vector<std::string> kv_names() {
  std::vector<std::string> names;
  names.reserve(kKvFormatCount);
  for (int i = 0; i < kKvFormatCount; ++i) names.emplace_back(kv_format_name(static_cast<KvFormat>(i)));
  return names;
}

// The quantisation of a scenario belongs to its model: a file with weights of its own that the command line puts in
// that model's place keeps them, unless the command line names a quantisation too.
bool keeps_stored_weights(ObjectReader& reader, const ModelSpec& model) {
  const JsonValue* id = reader.optional("id");
  const JsonValue* quantisation = reader.optional("quantisation");
  if (!model.stored || id == nullptr || quantisation == nullptr) return false;
  return reader.document().place(*id).file != reader.document().place(*quantisation).file;
}

}  // namespace

void check_mixture(ObjectReader& reader, std::string_view key, std::string& name, std::size_t index) {
  if (const Mixture* mixture = find_mixture(name)) {
    name = mixture->name;
    return;
  }
  reader.fault(place_of(reader, key, index), fmt::format("quantisation \"{}\" is not known", name),
               reader.is_full() ? "" : suggest(name, mixture_names()));
}

void parse_model_choice(ObjectReader& root, const Shelves& shelves, Scenario& scenario, Diagnostics& warnings) {
  auto reader = member_object(root, "model");
  if (!reader) {
    root.fault(root.value(), "scenario lacks \"model\"", "say which with --model, such as --model llama-3.3-70b");
    return;
  }
  const std::string id = reader->text("id");
  scenario.mixture = reader->text_or("quantisation", "");
  scenario.kv = find_kv_format(reader->choice_or("kv", kv_names(), "f16")).value_or(KvFormat::f16);
  if (reader->has("kv_values")) scenario.kv_values = find_kv_format(reader->choice("kv_values", kv_names()));
  const std::vector<KeyOverride> overrides = parse_key_overrides(*reader);
  reader->finish();
  if (!id.empty()) {
    Result<ModelSpec> model = find_or_import(*reader, shelves, id, overrides, warnings);
    if (model) {
      scenario.model = std::move(*model);
      if (is_model_path(id)) scenario.model_path = path_beside(*reader, *reader->optional("id"), id);
    } else {
      const JsonValue* at = reader->optional("id");
      for (const Diagnostic& d : model.error()) {
        if (d.place.line > 0 || at == nullptr)
          reader->diagnostics().push_back(d);
        else
          reader->fault(*at, d.place.file.empty() ? d.message : fmt::format("{}: {}", d.place.file, d.message), d.hint);
      }
    }
  }
  if (keeps_stored_weights(*reader, scenario.model)) scenario.mixture = kStoredMixture;
  if (!scenario.mixture.empty()) check_mixture(*reader, "quantisation", scenario.mixture);
  if (scenario.mixture == kStoredMixture && !scenario.model.stored) {
    reader->fault(place_of(*reader, "quantisation"), fmt::format("no weights of {} were read", scenario.model.name),
                  "name a quantisation, such as Q4_K_M");
  }
}

// Where the scenario names no quantisation: the format that the weights were published in where the engine runs it and
// four bits are enough, else the one that most people run.
std::string default_mixture(const ModelSpec& model, Engine engine) {
  if (model.stored) return std::string(kStoredMixture);
  const std::string& native = model.native_format;
  if (engine == Engine::wafer || engine == Engine::vllm) return find_mixture(native) != nullptr ? native : "BF16";
  return native.starts_with("MXFP4") ? "MXFP4" : "Q4_K_M";
}

void parse_draft(ObjectReader& root, const Shelves& shelves, Scenario& scenario, Diagnostics& warnings) {
  auto reader = member_object(root, "draft");
  if (!reader) return;
  DraftModel draft;
  const std::string id = reader->text("id");
  draft.mixture = reader->text_or("quantisation", "Q4_K_M");
  if (find_mixture(draft.mixture) == nullptr || draft.mixture == kStoredMixture) {
    reader->fault(*reader->optional("quantisation"), fmt::format("unknown quantisation \"{}\"", draft.mixture));
  }
  draft.guesses = static_cast<int>(reader->integer_or("guesses", draft.guesses, Range::between(1, kMaxGuesses)));
  if (reader->has("acceptance")) draft.acceptance = reader->number_or("acceptance", 0, Range::between(0, 1));
  reader->finish();
  if (id.empty()) return;  // noted by the reader
  Result<ModelSpec> model = find_or_import(*reader, shelves, id, {}, warnings);
  if (model) {
    draft.model = std::move(*model);
    if (reader->diagnostics().empty()) scenario.draft = std::move(draft);
  } else {
    for (const Diagnostic& d : model.error()) reader->fault(*reader->optional("id"), d.message, d.hint);
  }
}

void parse_lora(ObjectReader& root, Scenario& scenario) {
  auto reader = member_object(root, "lora");
  if (!reader) return;
  LoraAdapters lora;
  lora.count = static_cast<int>(reader->integer_or("count", 1, Range::between(1, 1024)));
  lora.rank = static_cast<int>(reader->integer_or("rank", 16, Range::between(1, 4096)));
  lora.attention_only = reader->choice_or("targets", {"all", "attention"}, "all") == "attention";
  reader->finish();
  scenario.lora = lora;
}

void parse_vision(ObjectReader& root, Scenario& scenario) {
  auto reader = member_object(root, "vision");
  if (!reader) return;
  Vision vision;
  VisionTower& tower = vision.tower;
  tower.weights = Bytes(reader->quantity_or("weights", UnitKind::bytes, 0, {}));
  tower.hidden = reader->number_or("hidden", tower.hidden, Range::between(1, kMaxWidth));
  tower.feed_forward = reader->number_or("feed_forward", tower.feed_forward, Range::between(1, kMaxWidth));
  tower.heads = reader->number_or("heads", tower.heads, Range::between(1, 4096));
  tower.patches_per_token = reader->number_or("patches_per_token", tower.patches_per_token, Range::between(1, 64));
  tower.flash_attention = reader->boolean_or("flash_attention", true);
  vision.image_tokens = reader->number_or("image_tokens", vision.image_tokens, Range::between(0, kMaxContextTokens));
  vision.on_host = reader->choice_or("encode_on", {"gpu", "cpu"}, "gpu") == "cpu";
  reader->finish();
  scenario.vision = vision;
}

}  // namespace oblea
