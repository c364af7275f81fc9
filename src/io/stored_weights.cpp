#include "io/stored_weights.hpp"

#include <fmt/core.h>

#include "base/limits.hpp"
#include "base/suggest.hpp"

namespace oblea {
namespace {

std::vector<std::string> format_names() {
  std::vector<std::string> names;
  for (int i = 0; i < kTensorFormatCount; ++i) names.emplace_back(block_format(static_cast<TensorFormat>(i)).name);
  return names;
}

FormatBytes parse_bytes(ObjectReader& parent, const char* key) {
  FormatBytes bytes;
  const JsonValue* value = parent.optional(key);
  if (value == nullptr) return bytes;
  if (value->kind != JsonValue::Kind::object) {
    parent.fault(*value, fmt::format("\"{}\" must be an object of formats and bytes", key));
    return bytes;
  }
  for (const JsonMember& member : value->members) {
    const std::optional<TensorFormat> format = find_tensor_format(member.key);
    if (!format) {
      parent.fault(member.value, fmt::format("no tensor format \"{}\"", member.key),
                   parent.is_full() ? "" : suggest(member.key, format_names()));
      continue;
    }
    bytes.add(*format, parent.read_number(member.value, member.key, Range::between(0, 1e18)));
  }
  return bytes;
}

void parse_layers(ObjectReader& parent, std::size_t count, StoredWeights& stored) {
  const JsonValue* list = parent.required("layers");
  if (list == nullptr) return;
  if (list->kind != JsonValue::Kind::array) return parent.fault(*list, "\"layers\" must be a list");
  for (const JsonValue& item : list->items) {
    ObjectReader reader(parent.document(), item, "stored layer", parent.diagnostics());
    const std::int64_t times = reader.integer_or("repeat", 1, Range::between(1, kMaxLayers));
    const StoredLayer layer{parse_bytes(reader, "trunk"), parse_bytes(reader, "experts")};
    reader.finish();
    if (stored.layers.size() + static_cast<std::size_t>(times) > static_cast<std::size_t>(kMaxLayers)) {
      return parent.fault(item, fmt::format("more than {} stored layers", kMaxLayers));
    }
    stored.layers.insert(stored.layers.end(), static_cast<std::size_t>(times), layer);
  }
  if (stored.layers.size() != count) {
    parent.fault(*list, fmt::format("weights of {} layers are stored; the model has {}", stored.layers.size(), count));
  }
}

}  // namespace

StoredWeights parse_stored_weights(ObjectReader& reader, std::size_t layers) {
  StoredWeights stored;
  stored.label = reader.text_or("label", "");
  stored.embedding = parse_bytes(reader, "embedding");
  stored.head = parse_bytes(reader, "head");
  stored.extra = parse_bytes(reader, "extra");
  parse_layers(reader, layers, stored);
  return stored;
}

}  // namespace oblea
