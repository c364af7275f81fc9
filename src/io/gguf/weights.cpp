#include "io/gguf/weights.hpp"

#include <algorithm>
#include <array>
#include <string_view>

#include "io/gguf/blocks.hpp"
#include "io/gguf/mlp.hpp"
#include "io/gguf/types.hpp"

namespace oblea {
namespace {

enum class Part { trunk, experts, embedding, head, extra };

struct Place {
  Part part = Part::extra;
  std::size_t layer = 0;
};

bool starts_with_any(std::string_view name, std::initializer_list<std::string_view> starts) {
  return std::any_of(starts.begin(), starts.end(), [&](std::string_view start) { return name.starts_with(start); });
}

Place place_beside_layers(std::string_view name, std::size_t layers) {
  if (name == "token_embd.weight") return {Part::embedding};
  if (name == "output.weight" || name == "output.bias") return {Part::head};
  if (starts_with_any(name, {"token_embd_norm", "per_layer_model_proj", "per_layer_proj_norm", "altup_proj"})) {
    return {Part::trunk, 0};
  }
  if (starts_with_any(name, {"output_norm", "output_hc", "altup_unembd_proj"})) return {Part::trunk, layers - 1};
  return {Part::extra};
}

Place place_tensor(const GgufTensor& tensor, const std::vector<Layer>& layers) {
  const BlockName name = parse_block_name(tensor.name);
  if (name.index < 0) return place_beside_layers(tensor.name, layers.size());
  const auto index = static_cast<std::size_t>(name.index);
  if (index >= layers.size() || starts_with_any(name.rest, {"nextn.", "vis_"})) return {Part::extra};
  const bool routed = layers[index].mlp.kind == MlpKind::moe && is_routed_expert(name.rest);
  return {routed ? Part::experts : Part::trunk, index};
}

TensorFormat format_of(const GgufTensor& tensor) {
  const GgufType* type = find_gguf_type(tensor.type);
  if (type != nullptr) return type->format;
  return nearest_format(static_cast<double>(tensor.bytes) / static_cast<double>(tensor.weights()));
}

FormatBytes& bytes_at(StoredWeights& stored, const Place& place) {
  switch (place.part) {
    case Part::trunk:
      return stored.layers[place.layer].trunk;
    case Part::experts:
      return stored.layers[place.layer].experts;
    case Part::embedding:
      return stored.embedding;
    case Part::head:
      return stored.head;
    case Part::extra:
      break;
  }
  return stored.extra;
}

}  // namespace

StoredWeights sum_stored_weights(const std::vector<GgufHeader>& headers, const std::vector<Layer>& layers) {
  StoredWeights stored;
  stored.layers.resize(layers.size());
  for (const GgufHeader& header : headers) {
    for (const GgufTensor& tensor : header.tensors) {
      bytes_at(stored, place_tensor(tensor, layers)).add(format_of(tensor), static_cast<double>(tensor.bytes));
    }
  }
  return stored;
}

double count_read_weights(const std::vector<GgufHeader>& headers, const std::vector<Layer>& layers) {
  double count = 0;
  for (const GgufHeader& header : headers) {
    for (const GgufTensor& tensor : header.tensors) {
      if (place_tensor(tensor, layers).part != Part::extra) count += static_cast<double>(tensor.weights());
    }
  }
  return count;
}

}  // namespace oblea
