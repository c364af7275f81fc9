#include "io/fields.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/core.h>

#include "base/limits.hpp"
#include "base/suggest.hpp"

namespace oblea {
namespace {}  // namespace

ObjectReader::ObjectReader(const JsonDocument& document, const JsonValue& value, std::string what,
                           Diagnostics& diagnostics)
    : document_(document), value_(value), what_(std::move(what)), diagnostics_(diagnostics) {
  if (value.kind != JsonValue::Kind::object) {
    fault(value, fmt::format("{} must be an object, not {}", what_, kind_name(value.kind)));
  }
}

void ObjectReader::fault(const JsonValue& at, std::string message, std::string hint) {
  const SourcePlace place = is_full() ? SourcePlace{} : document_.place(at);
  diagnostics_.push_back({Severity::error, place, std::move(message), std::move(hint)});
}

void ObjectReader::warning(const JsonValue& at, std::string message, std::string hint) {
  const SourcePlace place = is_full() ? SourcePlace{} : document_.place(at);
  diagnostics_.push_back({Severity::warning, place, std::move(message), std::move(hint)});
}

bool ObjectReader::is_full() const { return diagnostics_.size() >= kMaxDiagnostics; }

bool ObjectReader::has(std::string_view key) { return optional(key) != nullptr; }

const JsonValue* ObjectReader::optional(std::string_view key) {
  if (std::find(asked_.begin(), asked_.end(), key) == asked_.end()) asked_.emplace_back(key);
  const JsonValue* member = value_.find(key);
  return member == nullptr || member->kind == JsonValue::Kind::null ? nullptr : member;
}

const JsonValue* ObjectReader::required(std::string_view key) {
  const JsonValue* member = optional(key);
  if (member == nullptr && value_.kind == JsonValue::Kind::object) {
    fault(value_, fmt::format("{} lacks \"{}\"", what_, key));
  }
  return member;
}

bool ObjectReader::check_range(const JsonValue& value, std::string_view key, double number, Range range,
                               std::string_view shown) {
  const bool low_enough = range.open_low ? number > range.low : number >= range.low;
  if (low_enough && number <= range.high) return true;
  std::string bound;
  if (!low_enough) {
    bound = range.open_low ? fmt::format("greater than {}", range.low) : fmt::format("at least {}", range.low);
  } else {
    bound = fmt::format("at most {}", range.high);
  }
  fault(value, fmt::format("\"{}\" is {}; it must be {}", key, shown, bound));
  return false;
}

double ObjectReader::read_number(const JsonValue& value, std::string_view key, Range range) {
  if (value.kind != JsonValue::Kind::number) {
    fault(value, fmt::format("\"{}\" must be a number, not {}", key, kind_name(value.kind)));
    return range.low;
  }
  return check_range(value, key, value.number, range, fmt::format("{}", value.number)) ? value.number : range.low;
}

double ObjectReader::read_quantity(const JsonValue& value, std::string_view key, UnitKind kind, Range range) {
  if (value.kind != JsonValue::Kind::string) {
    fault(value, fmt::format("\"{}\" must be {} with its unit in quotes, not {}", key, unit_kind_name(kind),
                             kind_name(value.kind)));
    return 0;
  }
  const ParsedValue parsed = parse_value(value.text, kind);
  if (!parsed.ok()) {
    fault(value, fmt::format("\"{}\": {}", key, parsed.error().message), parsed.error().hint);
    return 0;
  }
  return check_range(value, key, parsed.value(), range, value.text) ? parsed.value() : 0;
}

std::string ObjectReader::read_text(const JsonValue& value, std::string_view key) {
  if (value.kind == JsonValue::Kind::string) return value.text;
  fault(value, fmt::format("\"{}\" must be a string, not {}", key, kind_name(value.kind)));
  return "";
}

std::string ObjectReader::text(std::string_view key) {
  const JsonValue* member = required(key);
  if (member == nullptr) return "";
  std::string result = read_text(*member, key);
  if (result.empty() && member->kind == JsonValue::Kind::string) fault(*member, fmt::format("\"{}\" is empty", key));
  return result;
}

double ObjectReader::number(std::string_view key, Range range) {
  const JsonValue* member = required(key);
  return member == nullptr ? range.low : read_number(*member, key, range);
}

std::int64_t ObjectReader::integer(std::string_view key, Range range) {
  const JsonValue* member = required(key);
  return member == nullptr ? 0 : integer_or(key, 0, range);
}

double ObjectReader::quantity(std::string_view key, UnitKind kind, Range range) {
  const JsonValue* member = required(key);
  return member == nullptr ? 0 : read_quantity(*member, key, kind, range);
}

std::string ObjectReader::choice(std::string_view key, const std::vector<std::string>& choices) {
  return required(key) == nullptr ? "" : choice_or(key, choices, "");
}

std::string ObjectReader::text_or(std::string_view key, std::string fallback) {
  const JsonValue* member = optional(key);
  return member == nullptr ? std::move(fallback) : read_text(*member, key);
}

double ObjectReader::number_or(std::string_view key, double fallback, Range range) {
  const JsonValue* member = optional(key);
  return member == nullptr ? fallback : read_number(*member, key, range);
}

std::int64_t ObjectReader::integer_or(std::string_view key, std::int64_t fallback, Range range) {
  const JsonValue* member = optional(key);
  if (member == nullptr) return fallback;
  range.high = std::min(range.high, 9007199254740992.0);  // 2^53: beyond it a double skips integers
  const double number = read_number(*member, key, range);
  if (!std::isfinite(number)) return fallback;
  if (number != std::floor(number)) {
    fault(*member, fmt::format("\"{}\" is {}; it must be a whole number", key, number));
    return fallback;
  }
  return static_cast<std::int64_t>(number);
}

bool ObjectReader::boolean_or(std::string_view key, bool fallback) {
  const JsonValue* member = optional(key);
  if (member == nullptr) return fallback;
  if (member->kind == JsonValue::Kind::boolean) return member->boolean;
  fault(*member, fmt::format("\"{}\" must be true or false, not {}", key, kind_name(member->kind)));
  return fallback;
}

double ObjectReader::quantity_or(std::string_view key, UnitKind kind, double fallback, Range range) {
  const JsonValue* member = optional(key);
  return member == nullptr ? fallback : read_quantity(*member, key, kind, range);
}

std::optional<double> ObjectReader::optional_quantity(std::string_view key, UnitKind kind, Range range) {
  const JsonValue* member = optional(key);
  if (member == nullptr) return std::nullopt;
  return read_quantity(*member, key, kind, range);
}

std::string ObjectReader::choice_or(std::string_view key, const std::vector<std::string>& choices,
                                    std::string fallback) {
  const JsonValue* member = optional(key);
  if (member == nullptr) return fallback;
  std::string chosen = read_text(*member, key);
  if (member->kind != JsonValue::Kind::string) return fallback;
  if (std::find(choices.begin(), choices.end(), chosen) != choices.end()) return chosen;
  fault(*member, fmt::format("\"{}\" is \"{}\", which is not known", key, chosen), suggest(chosen, choices));
  return fallback;
}

std::vector<std::string> ObjectReader::texts(std::string_view key) {
  const JsonValue* member = optional(key);
  if (member == nullptr) return {};
  std::vector<std::string> result;
  const auto add = [&](const JsonValue& item) {
    result.push_back(read_text(item, key));
    if (item.kind == JsonValue::Kind::string && item.text.empty())
      fault(item, fmt::format("\"{}\" holds an empty text", key));
  };
  if (member->kind == JsonValue::Kind::string) {
    add(*member);
  } else if (member->kind != JsonValue::Kind::array) {
    fault(*member, fmt::format("\"{}\" must be a string or a list of strings, not {}", key, kind_name(member->kind)));
  }
  for (const JsonValue& item : member->items) add(item);
  return result;
}

const JsonValue* ObjectReader::value_and_source(std::string_view key, const JsonValue& member, Source& source) {
  if (member.kind != JsonValue::Kind::object) {
    fault(member, fmt::format("\"{}\" must be an object with value, source, date and confidence", key),
          "a profile holds no number without a source; an own guess is \"confidence\": \"estimate\"");
    return nullptr;
  }
  ObjectReader inner(document_, member, fmt::format("\"{}\"", key), diagnostics_);
  const JsonValue* value = inner.required("value");
  source = inner.source();
  inner.finish();
  return value;
}

const JsonValue* ObjectReader::sourced_value(std::string_view key, bool is_required, Source& source) {
  const JsonValue* member = is_required ? required(key) : optional(key);
  return member == nullptr ? nullptr : value_and_source(key, *member, source);
}

Source ObjectReader::source() {
  Source result;
  result.text = text("source");
  result.date = text("date");
  if (const auto found = find_confidence(choice("confidence", confidence_names()))) result.confidence = *found;
  return result;
}

Sourced<double> ObjectReader::sourced_number(std::string_view key, Range range) {
  Sourced<double> result;
  const JsonValue* value = sourced_value(key, true, result.source);
  if (value != nullptr) result.value = read_number(*value, key, range);
  return result;
}

Optional<double> ObjectReader::optional_sourced_number(std::string_view key, Range range) {
  if (optional(key) == nullptr) return std::nullopt;
  return sourced_number(key, range);
}

Sourced<std::string> ObjectReader::sourced_text(std::string_view key) {
  Sourced<std::string> result;
  const JsonValue* value = sourced_value(key, true, result.source);
  if (value != nullptr) result.value = read_text(*value, key);
  return result;
}

Optional<std::string> ObjectReader::optional_sourced_text(std::string_view key) {
  if (optional(key) == nullptr) return std::nullopt;
  return sourced_text(key);
}

void ObjectReader::finish() {
  for (const JsonMember& member : value_.members) {
    if (member.key == "$schema" || member.key == "note") continue;
    if (std::find(asked_.begin(), asked_.end(), member.key) != asked_.end()) continue;
    if (is_full()) {
      diagnostics_.push_back({Severity::error, {}, "unknown key", ""});
      continue;
    }
    diagnostics_.push_back({Severity::error, document_.place(member.key_offset, member.key.size() + 2),
                            fmt::format("unknown key \"{}\" in {}", member.key, what_), suggest(member.key, asked_)});
  }
}

}  // namespace oblea
