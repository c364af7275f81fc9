#include "io/model_writer.hpp"

#include <array>
#include <map>

#include <fmt/core.h>
#include <nlohmann/json.hpp>

#include "io/model_kinds.hpp"
#include "llm/tensor_format.hpp"

namespace oblea {
namespace {

using Json = nlohmann::ordered_json;

template <class T>
void put(Json& json, const char* key, const T& value, const T& absent = {}) {
  if (value != absent) json[key] = value;
}

Json to_json(const Attention& a) {
  Json json = {{"kind", attention_kind_name(a.kind)}};
  for (const AttentionField& field : attention_fields()) put(json, field.key, a.*field.member);
  for (const AttentionFlag& flag : attention_flags()) put(json, flag.key, a.*flag.member);
  return json;
}

Json to_json(const Mlp& mlp) {
  Json json = {{"kind", mlp_kind_name(mlp.kind)}};
  if (mlp.kind == MlpKind::none || mlp.kind == MlpKind::projection) return json;
  put(json, "intermediate", mlp.intermediate);
  put(json, "gated", mlp.gated, true);
  put(json, "bias", mlp.bias);
  put(json, "experts", mlp.experts);
  put(json, "active_experts", mlp.active_experts);
  put(json, "shared_experts", mlp.shared_experts);
  put(json, "shared_intermediate", mlp.shared_intermediate);
  put(json, "expert_hidden", mlp.expert_hidden);
  put(json, "dense_intermediate", mlp.dense_intermediate);
  return json;
}

Json to_json(const Layer& layer) {
  Json json = {{"attention", to_json(layer.attention)}, {"mlp", to_json(layer.mlp)}};
  if (layer.beside.kind != AttentionKind::none) json["beside"] = to_json(layer.beside);
  put(json, "norms", layer.norms, 2);
  put(json, "side_width", layer.side_width);
  return json;
}

// Whole bytes by format name; formats of which there is nothing are left out.
Json to_json(const FormatBytes& bytes) {
  Json json = Json::object();
  for (int i = 0; i < kTensorFormatCount; ++i) {
    const auto format = static_cast<TensorFormat>(i);
    const double count = bytes.bytes[static_cast<std::size_t>(i)];
    if (count > 0) json[std::string(block_format(format).name)] = static_cast<std::int64_t>(count);
  }
  return json;
}

Json to_json(const StoredLayer& layer) {
  Json json = {{"trunk", to_json(layer.trunk)}};
  if (!layer.experts.empty()) json["experts"] = to_json(layer.experts);
  return json;
}

// Neighbours that are equal, as one entry with "repeat".
template <class T, class Write>
Json runs(const std::vector<T>& items, Write write) {
  Json list = Json::array();
  for (std::size_t i = 0; i < items.size();) {
    std::size_t end = i + 1;
    while (end < items.size() && items[end] == items[i]) ++end;
    list.push_back(write(items[i], end - i));
    i = end;
  }
  return list;
}

Json to_json(const StoredWeights& stored) {
  Json json;
  put(json, "label", stored.label);
  json["embedding"] = to_json(stored.embedding);
  if (!stored.head.empty()) json["head"] = to_json(stored.head);
  if (!stored.extra.empty()) json["extra"] = to_json(stored.extra);
  json["layers"] = runs(stored.layers, [](const StoredLayer& layer, std::size_t times) {
    Json entry = to_json(layer);
    if (times > 1) entry["repeat"] = times;
    return entry;
  });
  return json;
}

// "full_moe", and a number where several kinds of layer would share the name.
class KindNames {
 public:
  const std::string& name_of(const Layer& layer, Json& kinds) {
    for (const auto& [known, name] : names_) {
      if (known == layer) return name;
    }
    std::string name = fmt::format("{}_{}", attention_kind_name(layer.attention.kind), mlp_kind_name(layer.mlp.kind));
    if (const int earlier = counts_[name]++; earlier > 0) name += fmt::format("_{}", earlier + 1);
    kinds[name] = to_json(layer);
    names_.emplace_back(layer, std::move(name));
    return names_.back().second;
  }

 private:
  std::vector<std::pair<Layer, std::string>> names_;
  std::map<std::string, int> counts_;
};

void put_layers(Json& json, const ModelSpec& model) {
  Json kinds = Json::object();
  KindNames names;
  Json layers = runs(model.layers, [&](const Layer& layer, std::size_t times) -> Json {
    const std::string& name = names.name_of(layer, kinds);
    if (times == 1) return name;
    return {{"repeat", times}, {"block", {name}}};
  });
  json["layer_kinds"] = std::move(kinds);
  json["layers"] = std::move(layers);
}

}  // namespace

std::string write_model_file(const ModelSpec& model) {
  Json json = {{"id", model.id},
               {"name", model.name},
               {"family", model.family},
               {"hidden", model.hidden},
               {"vocabulary", model.vocabulary},
               {"tied_embeddings", model.tied_embeddings},
               {"max_context", model.max_context}};
  put(json, "native_format", model.native_format);
  put(json, "extra_parameters", model.extra_parameters);
  put(json, "boundary_factor", model.boundary_factor, 1.0);
  if (model.public_total_parameters > 0) {
    json["public_parameters"] = {{"total", model.public_total_parameters}};
    put(json["public_parameters"], "active", model.public_active_parameters);
  }
  json["source"] = model.source;
  json["date"] = model.date;
  json["confidence"] = model.confidence;
  put_layers(json, model);
  if (model.stored) json["stored"] = to_json(*model.stored);
  return json.dump(1, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace oblea
