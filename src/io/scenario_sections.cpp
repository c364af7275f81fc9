#include "io/scenario_sections.hpp"

namespace oblea {

std::optional<ObjectReader> member_object(ObjectReader& parent, std::string_view key) {
  const JsonValue* member = parent.optional(key);
  if (member == nullptr) return std::nullopt;
  return std::optional<ObjectReader>(std::in_place, parent.document(), *member, fmt::format("\"{}\"", key),
                                     parent.diagnostics());
}

const JsonValue& place_of(ObjectReader& reader, std::string_view key, std::size_t index) {
  const JsonValue* at = reader.optional(key);
  if (at == nullptr) return reader.value();
  return at->kind == JsonValue::Kind::array && index < at->items.size() ? at->items[index] : *at;
}

}  // namespace oblea
