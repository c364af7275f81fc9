#include "io/gguf/keys.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/core.h>

#include "base/limits.hpp"
#include "base/printable.hpp"
#include "io/json_document.hpp"

namespace oblea {
namespace {

GgufValue from_json(const JsonValue& json, const std::string& raw) {
  switch (json.kind) {
    case JsonValue::Kind::number:
      return json.number;
    case JsonValue::Kind::boolean:
      return json.boolean;
    case JsonValue::Kind::string:
      return json.text;
    case JsonValue::Kind::array: {
      GgufArray array{GgufValueType::float64, json.items.size(), true, {}};
      for (const JsonValue& item : json.items) {
        const bool counts = item.kind == JsonValue::Kind::number || item.kind == JsonValue::Kind::boolean;
        if (!counts) return raw;
        array.numbers.push_back(item.kind == JsonValue::Kind::number ? item.number : item.boolean ? 1 : 0);
      }
      return array;
    }
    default:
      return raw;
  }
}

GgufValue parse_override(const KeyOverride& override) {
  const Result<JsonDocument> json = JsonDocument::parse(override.value, override.origin);
  return json ? from_json(json->root(), override.value) : GgufValue(override.value);
}

}  // namespace

GgufKeys::GgufKeys(const GgufHeader& header, const std::vector<KeyOverride>& overrides) : header_(header) {
  for (const KeyOverride& override : overrides) {
    overrides_[override.key] = {parse_override(override), override.origin, false};
  }
  architecture_ = text("general.architecture").value_or("");
}

std::string GgufKeys::full_name(std::string_view key) const { return fmt::format("{}.{}", architecture_, key); }

const GgufValue* GgufKeys::find(const std::string& name) {
  if (const auto found = overrides_.find(name); found != overrides_.end()) {
    found->second.used = true;
    return &found->second.value;
  }
  const GgufKey* key = header_.find(name);
  return key != nullptr ? &key->value : nullptr;
}

std::string GgufKeys::place_of(const std::string& name) const {
  if (const auto found = overrides_.find(name); found != overrides_.end()) return found->second.origin + ": ";
  const GgufKey* key = header_.find(name);
  return key != nullptr ? fmt::format("at byte {}: ", key->offset) : "";
}

std::optional<std::string> GgufKeys::text(const std::string& name) {
  const GgufValue* found = find(name);
  const std::string* text = found != nullptr ? std::get_if<std::string>(found) : nullptr;
  return text != nullptr ? std::optional(*text) : std::nullopt;
}

std::optional<double> GgufKeys::plain_number(const std::string& name) {
  const GgufValue* found = find(name);
  const double* number = found != nullptr ? std::get_if<double>(found) : nullptr;
  return number != nullptr ? std::optional(*number) : std::nullopt;
}

std::optional<bool> GgufKeys::truth(const std::string& name) {
  const GgufValue* found = find(name);
  const bool* truth = found != nullptr ? std::get_if<bool>(found) : nullptr;
  return truth != nullptr ? std::optional(*truth) : std::nullopt;
}

const GgufValue* GgufKeys::value(std::string_view key) { return find(full_name(key)); }

std::optional<std::int64_t> GgufKeys::whole(double value, const std::string& name) {
  if (value >= 0 && value <= kMaxGgufWidth && value == std::floor(value)) return static_cast<std::int64_t>(value);
  fault(fmt::format("{}{} is {}; a whole number from 0 to {} is needed", place_of(name), name, value, kMaxGgufWidth));
  return std::nullopt;
}

std::optional<std::int64_t> GgufKeys::integer(std::string_view key) {
  const std::string name = full_name(key);
  const GgufValue* found = find(name);
  if (found == nullptr) return std::nullopt;
  if (const double* number = std::get_if<double>(found)) return whole(*number, name);
  const GgufArray* array = std::get_if<GgufArray>(found);
  const bool one_value =
      array != nullptr && !array->numbers.empty() &&
      std::all_of(array->numbers.begin(), array->numbers.end(), [&](double n) { return n == array->numbers[0]; });
  if (one_value) return whole(array->numbers.front(), name);
  fault(fmt::format("{}{} must be one whole number", place_of(name), name));
  return std::nullopt;
}

std::vector<std::int64_t> GgufKeys::per_layer(std::string_view key, int layers) {
  const std::string name = full_name(key);
  const auto count = static_cast<std::size_t>(layers);
  const GgufValue* found = find(name);
  if (found == nullptr) return {};
  if (const double* number = std::get_if<double>(found)) {
    return std::vector<std::int64_t>(count, whole(*number, name).value_or(0));
  }
  const GgufArray* array = std::get_if<GgufArray>(found);
  if (array == nullptr || !array->kept) {
    fault(fmt::format("{}{} must be a whole number, or an array with one for each layer", place_of(name), name));
    return std::vector<std::int64_t>(count, 0);
  }
  if (array->numbers.size() < count) {
    fault(fmt::format("{}{} has {} values for {} layers", place_of(name), name, array->numbers.size(), layers));
    return std::vector<std::int64_t>(count, 0);
  }
  std::vector<std::int64_t> values;
  for (std::size_t i = 0; i < count; ++i) {
    const std::optional<std::int64_t> value = whole(array->numbers[i], name);
    if (!value) return std::vector<std::int64_t>(count, 0);
    values.push_back(*value);
  }
  return values;
}

void GgufKeys::missing(std::string_view key, const std::string& what, const std::string& example) {
  const std::string name = full_name(key);
  if (!said_.insert("missing " + name).second) return;
  fault(fmt::format("the file lacks {} ({})", name, what), fmt::format("give it: --override {}={}", name, example));
}

void GgufKeys::fault(std::string message, std::string hint) {
  if (!said_.insert(message).second) return;
  Diagnostic fault;
  fault.place.file = header_.file;
  fault.message = std::move(message);
  fault.hint = std::move(hint);
  faults_.push_back(std::move(fault));
}

void GgufKeys::warn(const std::string& message, std::string hint, const std::string& topic) {
  if (!said_.insert(topic.empty() ? message : topic).second) return;
  Diagnostic warning;
  warning.severity = Severity::warning;
  warning.place.file = header_.file;
  warning.message = message;
  warning.hint = std::move(hint);
  warnings_.push_back(std::move(warning));
}

void GgufKeys::warn_of_tensors(std::string_view key, std::int64_t said, std::int64_t counted, int layer) {
  const std::string name = full_name(key);
  warn(fmt::format("{}{} is {}, but the tensors of layer {} make it {}: the tensors count", place_of(name), name, said,
                   layer, counted),
       {}, "tensors against " + name);
}

int GgufKeys::width(std::int64_t value, std::string_view what) {
  if (value >= 0 && value <= kMaxGgufWidth) return static_cast<int>(value);
  fault(fmt::format("{} is {}; the limit is {}", what, value, kMaxGgufWidth));
  return 0;
}

void GgufKeys::warn_of_unused() {
  for (const auto& [name, override] : overrides_) {
    if (override.used) continue;
    warn(fmt::format("{}: nothing asked for the key {}", override.origin, cut_text(name, 80)),
         fmt::format("geometry has keys such as {}", full_name("attention.head_count")));
  }
}

}  // namespace oblea
