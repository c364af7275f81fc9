#include "io/model_file.hpp"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <map>

#include <fmt/core.h>

#include "base/limits.hpp"
#include "base/suggest.hpp"
#include "io/fields.hpp"
#include "io/stored_weights.hpp"
#include "io/text_file.hpp"
#include "llm/mixture.hpp"
#include "llm/parameters.hpp"

namespace oblea {
namespace {

const std::vector<std::string> kAttentionKinds = {"none", "full", "sliding",    "latent",    "linear",
                                                  "ssm",  "conv", "compressed", "projection"};
const std::vector<std::string> kMlpKinds = {"none", "dense", "moe", "projection"};
constexpr double kCountTolerance = 0.03;
const Range kWidth = Range::between(1, 1 << 24);  // one dimension of one matrix
const Range kOptionalWidth = Range::between(0, 1 << 24);

// An unknown or missing kind is noted by the reader; the first kind stands in.
template <class Kind>
Kind choose(ObjectReader& reader, const std::vector<std::string>& names) {
  const auto found = std::find(names.begin(), names.end(), reader.choice("kind", names));
  return static_cast<Kind>(found == names.end() ? 0 : found - names.begin());
}

int width(ObjectReader& reader, const char* key) { return static_cast<int>(reader.integer(key, kWidth)); }
int width_or_zero(ObjectReader& reader, const char* key) {
  return static_cast<int>(reader.integer_or(key, 0, kOptionalWidth));
}

// Keys that a sparse attention's indexer keeps beside the cache.
void read_indexer(ObjectReader& reader, Attention& a) {
  a.index_heads = width_or_zero(reader, "index_heads");
  a.index_dim = width_or_zero(reader, "index_dim");
  a.index_top = width_or_zero(reader, "index_top");
  if ((a.index_heads > 0) != (a.index_dim > 0))
    reader.fault(reader.value(), "an indexer needs both \"index_heads\" and \"index_dim\"");
}

void read_grouped_query(ObjectReader& reader, Attention& a) {
  a.heads = width(reader, "heads");
  a.kv_heads = width(reader, "kv_heads");
  a.head_dim = width(reader, "head_dim");
  a.v_head_dim = width_or_zero(reader, "v_head_dim");
  if (a.kind == AttentionKind::sliding) a.window = width(reader, "window");
  if (a.heads > 0 && a.kv_heads > 0 && a.heads % a.kv_heads != 0) {
    reader.fault(*reader.optional("kv_heads"), fmt::format("{} KV heads do not divide {} heads", a.kv_heads, a.heads));
  }
  read_indexer(reader, a);
}

void read_latent(ObjectReader& reader, Attention& a) {
  a.heads = width(reader, "heads");
  a.v_head_dim = width(reader, "v_head_dim");
  a.q_lora_rank = width_or_zero(reader, "q_lora_rank");
  a.kv_lora_rank = width(reader, "kv_lora_rank");
  a.rope_dim = width_or_zero(reader, "rope_dim");
  a.nope_dim = width(reader, "nope_dim");
  read_indexer(reader, a);
}

void read_compressed(ObjectReader& reader, Attention& a) {
  a.heads = width(reader, "heads");
  a.kv_heads = width(reader, "kv_heads");
  a.head_dim = width(reader, "head_dim");
  a.window = width(reader, "window");
  a.compress_ratio = width_or_zero(reader, "compress_ratio");
  a.q_lora_rank = width_or_zero(reader, "q_lora_rank");
  a.output_groups = width_or_zero(reader, "output_groups");
  a.output_rank = width_or_zero(reader, "output_rank");
  if ((a.output_groups > 0) != (a.output_rank > 0))
    reader.fault(reader.value(), "a grouped output needs both \"output_groups\" and \"output_rank\"");
  if (a.kv_heads != 1) reader.fault(*reader.optional("kv_heads"), "compressed attention keeps one head");
  read_indexer(reader, a);
}

void read_convolution(ObjectReader& reader, Attention& a) {
  a.value_dim = width(reader, "value_dim");
  a.conv_kernel = width(reader, "conv_kernel");
}

void read_recurrent(ObjectReader& reader, Attention& a) {
  a.key_heads = width(reader, "key_heads");
  a.key_dim = width(reader, "key_dim");
  a.value_heads = width(reader, "value_heads");
  a.value_dim = width(reader, "value_dim");
  a.conv_kernel = width_or_zero(reader, "conv_kernel");
  if (a.kind == AttentionKind::linear) a.gate_rank = width_or_zero(reader, "gate_rank");
  if (a.kind == AttentionKind::ssm) a.dt_rank = width_or_zero(reader, "dt_rank");
  if (a.key_heads > 0 && a.value_heads % a.key_heads != 0) {
    reader.fault(*reader.optional("key_heads"),
                 fmt::format("{} key heads do not divide {} value heads", a.key_heads, a.value_heads));
  }
}

void read_flags(ObjectReader& reader, Attention& a) {
  switch (a.kind) {
    case AttentionKind::full:
    case AttentionKind::sliding:
      a.qkv_bias = reader.boolean_or("qkv_bias", false);
      a.output_bias = reader.boolean_or("output_bias", false);
      a.qk_norm = reader.boolean_or("qk_norm", false);
      a.k_equals_v = reader.boolean_or("k_equals_v", false);
      a.sinks = reader.boolean_or("sinks", false);
      a.shares_kv = reader.boolean_or("shares_kv", false);
      a.output_gate = reader.boolean_or("output_gate", false);
      break;
    case AttentionKind::latent:
    case AttentionKind::linear:
      a.output_gate = reader.boolean_or("output_gate", false);
      break;
    case AttentionKind::compressed:
      a.sinks = reader.boolean_or("sinks", false);
      break;
    default:
      break;
  }
}

Attention parse_attention(ObjectReader& reader) {
  Attention a;
  a.kind = choose<AttentionKind>(reader, kAttentionKinds);
  switch (a.kind) {
    case AttentionKind::none:
    case AttentionKind::projection:
      break;
    case AttentionKind::full:
    case AttentionKind::sliding:
      read_grouped_query(reader, a);
      break;
    case AttentionKind::latent:
      read_latent(reader, a);
      break;
    case AttentionKind::linear:
    case AttentionKind::ssm:
      read_recurrent(reader, a);
      break;
    case AttentionKind::conv:
      read_convolution(reader, a);
      break;
    case AttentionKind::compressed:
      read_compressed(reader, a);
      break;
  }
  read_flags(reader, a);
  return a;
}

void read_experts(ObjectReader& reader, Mlp& mlp) {
  mlp.experts = width(reader, "experts");
  mlp.active_experts = width(reader, "active_experts");
  mlp.shared_experts = width_or_zero(reader, "shared_experts");
  mlp.shared_intermediate = width_or_zero(reader, "shared_intermediate");
  mlp.expert_hidden = width_or_zero(reader, "expert_hidden");
  mlp.dense_intermediate = width_or_zero(reader, "dense_intermediate");
  if (mlp.experts > 0 && mlp.active_experts > mlp.experts) {
    reader.fault(*reader.optional("active_experts"),
                 fmt::format("{} active experts, but there are only {}", mlp.active_experts, mlp.experts));
  }
  if ((mlp.shared_experts > 0) != (mlp.shared_intermediate > 0)) {
    reader.fault(reader.value(), "shared experts need both \"shared_experts\" and \"shared_intermediate\"",
                 "shared_intermediate is the width of all shared experts together");
  }
}

Mlp parse_mlp(ObjectReader& reader) {
  Mlp mlp;
  mlp.kind = choose<MlpKind>(reader, kMlpKinds);
  if (mlp.kind == MlpKind::none || mlp.kind == MlpKind::projection) return mlp;
  mlp.intermediate = width(reader, "intermediate");
  mlp.gated = reader.boolean_or("gated", true);
  mlp.bias = reader.boolean_or("bias", false);
  if (mlp.kind == MlpKind::moe) read_experts(reader, mlp);
  return mlp;
}

// Layers as the file writes them: in place, by the name of a kind, or as a repeated block of either.
class LayerList {
 public:
  LayerList(const JsonDocument& document, Diagnostics& diagnostics) : document_(document), diagnostics_(diagnostics) {}

  void read_kinds(ObjectReader& model) {
    const JsonValue* kinds = model.optional("layer_kinds");
    if (kinds == nullptr) return;
    if (kinds->kind != JsonValue::Kind::object) return model.fault(*kinds, "\"layer_kinds\" must be an object");
    for (const JsonMember& member : kinds->members) {
      ObjectReader reader(document_, member.value, fmt::format("layer kind \"{}\"", member.key), diagnostics_);
      kinds_[member.key] = read_layer(reader);
      reader.finish();
      names_.push_back(member.key);
    }
  }

  void add_all(const JsonValue& list) {
    if (list.kind != JsonValue::Kind::array || list.items.empty()) {
      return fault(list, "\"layers\" must be a list with at least one layer");
    }
    for (const JsonValue& item : list.items) add(item);
  }

  std::vector<Layer> take() { return std::move(layers_); }

 private:
  void add(const JsonValue& item) {
    const std::size_t first = layers_.size();
    if (item.kind == JsonValue::Kind::string) return add_named(item);
    ObjectReader reader(document_, item, "layer", diagnostics_);
    const std::int64_t times = reader.integer_or("repeat", 1, Range::between(1, kMaxLayers));
    if (const JsonValue* block = reader.optional("block"))
      add_block(*block);
    else if (item.kind == JsonValue::Kind::object)
      layers_.push_back(read_layer(reader));
    reader.finish();
    repeat_from(first, times, item);
  }

  void add_named(const JsonValue& item) {
    const auto kind = kinds_.find(item.text);
    if (kind == kinds_.end())
      return fault(item, fmt::format("no layer kind \"{}\"", item.text), suggest(item.text, names_));
    layers_.push_back(kind->second);
  }

  void add_block(const JsonValue& block) {
    if (block.kind != JsonValue::Kind::array || block.items.empty()) {
      return fault(block, "\"block\" must be a list with at least one layer");
    }
    for (const JsonValue& item : block.items) {
      if (item.kind == JsonValue::Kind::object && item.find("block") != nullptr)
        fault(item, "a block holds no blocks");
      else
        add(item);
    }
  }

  void repeat_from(std::size_t first, std::int64_t times, const JsonValue& at) {
    const std::size_t length = layers_.size() - first;
    if (first + length * static_cast<std::size_t>(times) > static_cast<std::size_t>(kMaxLayers)) {
      return fault(at, fmt::format("the model has more than {} layers", kMaxLayers));
    }
    for (std::size_t i = length; i < length * static_cast<std::size_t>(times); ++i) {
      const Layer copy = layers_[first + i % length];
      layers_.push_back(copy);
    }
  }

  Layer read_layer(ObjectReader& reader) {
    Layer layer;
    if (const JsonValue* value = reader.required("attention")) {
      ObjectReader attention(document_, *value, "attention", diagnostics_);
      layer.attention = parse_attention(attention);
      attention.finish();
    }
    if (const JsonValue* value = reader.required("mlp")) {
      ObjectReader mlp(document_, *value, "mlp", diagnostics_);
      layer.mlp = parse_mlp(mlp);
      mlp.finish();
    }
    if (const JsonValue* value = reader.optional("beside")) {
      ObjectReader beside(document_, *value, "beside", diagnostics_);
      layer.beside = parse_attention(beside);
      beside.finish();
    }
    layer.norms = static_cast<int>(reader.integer_or("norms", 2, Range::between(0, 16)));
    layer.side_width = reader.integer_or("side_width", 0, kOptionalWidth);
    return layer;
  }

  void fault(const JsonValue& at, std::string message, std::string hint = {}) {
    diagnostics_.push_back({Severity::error, document_.place(at), std::move(message), std::move(hint)});
  }

  const JsonDocument& document_;
  Diagnostics& diagnostics_;
  std::map<std::string, Layer> kinds_;
  std::vector<std::string> names_;
  std::vector<Layer> layers_;
};

void read_public_parameters(ObjectReader& reader, ModelSpec& model) {
  const JsonValue* value = reader.optional("public_parameters");
  if (value == nullptr) return;
  ObjectReader counts(reader.document(), *value, "public_parameters", reader.diagnostics());
  model.public_total_parameters = counts.number("total", Range::positive());
  model.public_active_parameters = counts.number_or("active", model.public_total_parameters, Range::positive());
  counts.finish();
}

void read_native_format(ObjectReader& reader, ModelSpec& model) {
  model.native_format = reader.text_or("native_format", "BF16");
  if (find_mixture(model.native_format) != nullptr) return;
  std::vector<std::string> names;
  for (const Mixture& mixture : all_mixtures()) names.push_back(mixture.name);
  reader.fault(*reader.optional("native_format"), fmt::format("\"{}\" is no mixture", model.native_format),
               suggest(model.native_format, names));
}

ModelSpec parse_fields(ObjectReader& reader) {
  ModelSpec model;
  model.id = reader.text("id");
  model.name = reader.text("name");
  model.family = reader.text("family");
  model.hidden = reader.integer("hidden", kWidth);
  model.vocabulary = reader.integer("vocabulary", kOptionalWidth);  // 0: not known, as of a bare header
  model.tied_embeddings = reader.boolean_or("tied_embeddings", false);
  model.max_context = reader.integer("max_context", Range::between(0, kMaxContextTokens));  // 0: not known
  model.extra_parameters = reader.integer_or("extra_parameters", 0);
  model.boundary_factor = reader.number_or("boundary_factor", 1, Range::positive());
  read_native_format(reader, model);
  read_public_parameters(reader, model);
  const Source source = reader.source();
  model.source = source.text;
  model.date = source.date;
  model.confidence = confidence_name(source.confidence);
  LayerList layers(reader.document(), reader.diagnostics());
  layers.read_kinds(reader);
  if (const JsonValue* list = reader.required("layers")) layers.add_all(*list);
  model.layers = layers.take();
  if (const JsonValue* value = reader.optional("stored")) {
    ObjectReader stored(reader.document(), *value, "\"stored\"", reader.diagnostics());
    model.stored = parse_stored_weights(stored, model.layers.size());
    stored.finish();
  }
  return model;
}

// The published count may or may not include the vision tower: the nearer reading counts.
void compare_with_published(ObjectReader& reader, const ModelSpec& model) {
  if (model.public_total_parameters <= 0) return;
  const double published = model.public_total_parameters;
  const double text = static_cast<double>(total_parameters(model));
  const double whole = text + static_cast<double>(model.extra_parameters);
  const double error = std::min(std::abs(text / published - 1), std::abs(whole / published - 1));
  if (error <= kCountTolerance) return;
  reader.warning(*reader.optional("public_parameters"),
                 fmt::format("the layers hold {:.2f} B parameters, {:.1f} % from the published {:.2f} B", text / 1e9,
                             error * 100, published / 1e9));
}

}  // namespace

Result<ModelSpec> parse_model(std::string text, const std::string& file, Diagnostics& warnings) {
  const Result<JsonDocument> document = JsonDocument::parse(std::move(text), file);
  if (!document) return fail(document.error());
  Diagnostics diagnostics;
  ObjectReader reader(*document, document->root(), "model", diagnostics);
  ModelSpec model = parse_fields(reader);
  reader.finish();
  if (has_errors(diagnostics)) return fail(std::move(diagnostics));
  compare_with_published(reader, model);
  warnings.insert(warnings.end(), diagnostics.begin(), diagnostics.end());
  return model;
}

Result<ModelSpec> read_model(const std::string& path, Diagnostics& warnings) {
  Result<std::string> text = read_text_file(path, kMaxInputBytes);
  if (!text) return fail(text.error());
  return parse_model(std::move(*text), path, warnings);
}

Result<std::vector<std::string>> list_models(const std::string& folder) {
  Result<std::vector<std::string>> paths = list_json_files(folder);
  if (!paths) return paths;
  std::vector<std::string> ids;
  for (const std::string& path : *paths) ids.push_back(std::filesystem::path(path).stem().string());
  std::sort(ids.begin(), ids.end());
  return ids;
}

Result<ModelSpec> find_model(const std::string& folder, const std::string& id, Diagnostics& warnings) {
  const Result<std::vector<std::string>> ids = list_models(folder);
  if (!ids) return fail(ids.error());
  if (!std::binary_search(ids->begin(), ids->end(), id)) {
    return fail(fmt::format("no model \"{}\" in {}", id, folder), suggest(id, *ids));
  }
  return read_model((std::filesystem::path(folder) / (id + ".json")).string(), warnings);
}

}  // namespace oblea
