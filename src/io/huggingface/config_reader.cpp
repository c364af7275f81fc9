#include "io/huggingface/config_reader.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/core.h>

#include "base/printable.hpp"

namespace oblea {
namespace {

constexpr double kMaxSize = 1 << 24;  // one number of a model's geometry

bool counts_as_zero(const JsonValue& value) {
  return (value.kind == JsonValue::Kind::number && value.number == 0) ||
         (value.kind == JsonValue::Kind::boolean && !value.boolean);
}

std::string list_names(const ConfigKey& key) {
  std::string list;
  for (const std::string_view name : key.names) list += fmt::format("{}{}", list.empty() ? "" : ", ", name);
  return list;
}

bool is_whole(const JsonValue& value) {
  return value.kind == JsonValue::Kind::number && value.number == std::floor(value.number);
}

}  // namespace

std::vector<const JsonValue*> resolve_path(const JsonValue& from, std::string_view path) {
  std::vector<const JsonValue*> trail;
  const JsonValue* at = &from;
  while (at != nullptr) {
    const std::size_t dot = path.find('.');
    const std::string_view part = path.substr(0, dot);
    if (at->kind == JsonValue::Kind::array) {
      const bool is_index = !part.empty() && part.size() < 7 && part.find_first_not_of("0123456789") == part.npos;
      const std::size_t index = is_index ? std::stoul(std::string(part)) : at->items.size();
      at = index < at->items.size() ? &at->items[index] : nullptr;
    } else {
      at = at->kind == JsonValue::Kind::object ? at->find(part) : nullptr;
    }
    if (at != nullptr) trail.push_back(at);
    if (dot == std::string_view::npos) break;
    path.remove_prefix(dot + 1);
  }
  return at == nullptr ? std::vector<const JsonValue*>{} : trail;
}

ConfigReader::ConfigReader(const JsonDocument& document, std::vector<const JsonValue*> blocks, Diagnostics& diagnostics)
    : document_(document), blocks_(std::move(blocks)), diagnostics_(diagnostics) {}

const JsonValue* ConfigReader::find(const ConfigKey& key, bool absent_if_zero) {
  const std::string_view usual = key.names.front();
  if (std::find(asked_.begin(), asked_.end(), usual) == asked_.end()) {
    for (const std::string_view name : key.names) asked_.emplace_back(name);
  }
  for (const JsonValue* block : blocks_) {
    for (const std::string_view name : key.names) {
      const std::vector<const JsonValue*> trail = resolve_path(*block, name);
      if (trail.empty() || trail.back()->kind == JsonValue::Kind::null) continue;
      read_.insert(trail.begin(), trail.end());
      if (absent_if_zero && counts_as_zero(*trail.back())) continue;
      return trail.back();
    }
  }
  return nullptr;
}

const JsonValue* ConfigReader::find_path(std::string_view path) { return find(ConfigKey{path, {path}}); }

std::int64_t ConfigReader::to_size(const JsonValue& value, const ConfigKey& key) {
  if (!is_whole(value) || value.number < 1 || value.number > kMaxSize) {
    fault(&value, fmt::format("{} must be a whole number from 1 to {}", key.what, static_cast<std::int64_t>(kMaxSize)));
    return 0;
  }
  return static_cast<std::int64_t>(value.number);
}

std::int64_t ConfigReader::default_size(const ConfigKey& key) {
  if (blocks_.size() < 2) return 0;
  for (const ClassDefault& entry : defaults_) {
    if (entry.model_type != model_type_) continue;
    if (std::find(key.names.begin(), key.names.end(), entry.key) == key.names.end()) continue;
    warn(blocks_.front(), fmt::format("{} is not in the file; {} is what transformers' class of \"{}\" fills in",
                                      entry.key, entry.value, model_type_));
    return entry.value;
  }
  return 0;
}

std::int64_t ConfigReader::size(const ConfigKey& key) {
  const JsonValue* value = find(key, true);
  if (value == nullptr) return default_size(key);
  return value->kind == JsonValue::Kind::array ? 0 : to_size(*value, key);
}

std::int64_t ConfigReader::required_size(const ConfigKey& key) {
  const std::int64_t found = size(key);
  if (found > 0) return found;
  const JsonValue* value = find(key, true);
  if (value != nullptr && value->kind != JsonValue::Kind::array) return 0;  // a fault is noted
  fault(nullptr, fmt::format("the {} is missing: none of {} is there", key.what, list_names(key)),
        fmt::format("give it: --override {}=32", key.names.front()));
  return 0;
}

std::int64_t ConfigReader::layer_size(const ConfigKey& key, std::size_t index, bool required) {
  const JsonValue* value = find(key, true);
  if (value == nullptr || value->kind != JsonValue::Kind::array) return required ? required_size(key) : size(key);
  if (index < value->items.size()) {
    const JsonValue& item = value->items[index];
    return item.kind == JsonValue::Kind::null || counts_as_zero(item) ? 0 : to_size(item, key);
  }
  fault(value, fmt::format("{}: {} entries, but layer {} needs one", key.what, value->items.size(), index));
  return 0;
}

double ConfigReader::number(const ConfigKey& key) {
  const JsonValue* value = find(key, true);
  if (value == nullptr) return 0;
  if (value->kind == JsonValue::Kind::number) return std::clamp(value->number, -kMaxSize, kMaxSize);
  fault(value, fmt::format("{} must be a number", key.what));
  return 0;
}

std::optional<bool> ConfigReader::flag(const ConfigKey& key) {
  const JsonValue* value = find(key);
  if (value == nullptr) return std::nullopt;
  if (value->kind == JsonValue::Kind::boolean) return value->boolean;
  if (value->kind == JsonValue::Kind::number) return value->number != 0;
  fault(value, fmt::format("{} must be true or false", key.what));
  return std::nullopt;
}

std::string ConfigReader::text(const ConfigKey& key) {
  const JsonValue* value = find(key);
  return value != nullptr && value->kind == JsonValue::Kind::string ? value->text : "";
}

std::vector<std::int64_t> ConfigReader::integers(const ConfigKey& key) {
  std::vector<std::int64_t> list;
  const JsonValue* value = find(key);
  if (value == nullptr || value->kind != JsonValue::Kind::array) return list;
  for (const JsonValue& item : value->items) {
    if (item.kind == JsonValue::Kind::boolean) {
      list.push_back(item.boolean ? 1 : 0);
    } else if (is_whole(item) && std::abs(item.number) <= kMaxSize) {
      list.push_back(static_cast<std::int64_t>(item.number));
    } else {
      fault(&item, fmt::format("{} must be a list of whole numbers", key.what));
      return {};
    }
  }
  return list;
}

std::vector<std::string> ConfigReader::texts(const ConfigKey& key) {
  std::vector<std::string> list;
  const JsonValue* value = find(key);
  if (value == nullptr || value->kind != JsonValue::Kind::array) return list;
  for (const JsonValue& item : value->items) {
    if (item.kind != JsonValue::Kind::string) return {};
    list.push_back(item.text);
  }
  return list;
}

void ConfigReader::use_defaults(std::string_view model_type, const std::vector<ClassDefault>& defaults) {
  model_type_ = model_type;
  defaults_ = defaults;
}

void ConfigReader::note(Severity severity, const JsonValue* at, std::string message, std::string hint) {
  const JsonValue& place = at == nullptr ? *blocks_.front() : *at;
  if (!noted_.emplace(place.offset, message).second) return;
  diagnostics_.push_back({severity, document_.place(place), std::move(message), std::move(hint)});
}

void ConfigReader::fault(const JsonValue* at, std::string message, std::string hint) {
  note(Severity::error, at, std::move(message), std::move(hint));
}

void ConfigReader::warn(const JsonValue* at, std::string message, std::string hint) {
  note(Severity::warning, at, std::move(message), std::move(hint));
}

}  // namespace oblea
