// ObjectReader: takes the keyed fields out of a JSON object one by one and notes every fault on the way.
//
// Ask for each key that may be there, then call finish(): whatever was not asked for is unknown, and the keys that were
// asked for are the did-you-mean candidates. A fault never stops the reading, so that the user sees all of them at
// once; a faulty or missing field yields a value-initialised stand-in, and the caller discards the object when faults
// were noted.
#pragma once

#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/diagnostic.hpp"
#include "hardware/sourced.hpp"
#include "io/json_document.hpp"
#include "units/parse.hpp"

namespace oblea {

// Which numbers a field takes. The default takes zero and up.
struct Range {
  double low = 0;
  double high = std::numeric_limits<double>::infinity();
  bool open_low = false;  // low itself is too small
  static Range positive() { return {0, std::numeric_limits<double>::infinity(), true}; }
  static Range any() {
    return {-std::numeric_limits<double>::infinity(), std::numeric_limits<double>::infinity(), false};
  }
  static Range between(double low, double high) { return {low, high, false}; }
};

class ObjectReader {
 public:
  // `what` names the object in messages: "device", "budget". A value that is no object is a fault at once.
  ObjectReader(const JsonDocument& document, const JsonValue& value, std::string what, Diagnostics& diagnostics);

  bool has(std::string_view key);

  // The member, or nullptr with a fault noted when it is required and absent. null counts as absent.
  const JsonValue* required(std::string_view key);
  const JsonValue* optional(std::string_view key);

  // Required values; the stand-in on a fault is "" or the range's low end.
  std::string text(std::string_view key);
  double number(std::string_view key, Range range = {});
  std::int64_t integer(std::string_view key, Range range = {});
  double quantity(std::string_view key, UnitKind kind, Range range = Range::positive());
  std::string choice(std::string_view key, const std::vector<std::string>& choices);

  // Optional values with a default.
  std::string text_or(std::string_view key, std::string fallback);
  double number_or(std::string_view key, double fallback, Range range = {});
  std::int64_t integer_or(std::string_view key, std::int64_t fallback, Range range = {});
  bool boolean_or(std::string_view key, bool fallback);
  double quantity_or(std::string_view key, UnitKind kind, double fallback, Range range = Range::positive());
  std::optional<double> optional_quantity(std::string_view key, UnitKind kind, Range range = Range::positive());
  std::string choice_or(std::string_view key, const std::vector<std::string>& choices, std::string fallback);
  std::vector<std::string> texts(std::string_view key);  // a string or a list of strings; empty when absent

  // Sourced fields: {"value": ..., "source": ..., "date": ..., "confidence": ...}.
  template <class Q>
  Sourced<Q> sourced(std::string_view key, UnitKind kind, Range range = Range::positive()) {
    Sourced<Q> result;
    if (const JsonValue* member = required(key)) result = read_sourced<Q>(key, *member, kind, range);
    return result;
  }
  template <class Q>
  Optional<Q> optional_sourced(std::string_view key, UnitKind kind, Range range = Range::positive()) {
    const JsonValue* member = optional(key);
    if (member == nullptr) return std::nullopt;
    return read_sourced<Q>(key, *member, kind, range);
  }
  Sourced<double> sourced_number(std::string_view key, Range range = {});
  Optional<double> optional_sourced_number(std::string_view key, Range range = {});
  Sourced<std::string> sourced_text(std::string_view key);
  Optional<std::string> optional_sourced_text(std::string_view key);

  // The "value" member and the provenance beside it, for values of other shapes (lists, connectors).
  const JsonValue* sourced_value(std::string_view key, bool is_required, Source& source);

  // Source of an object that itself carries source, date and confidence.
  Source source();

  void fault(const JsonValue& at, std::string message, std::string hint = {});
  void warning(const JsonValue& at, std::string message, std::string hint = {});
  bool is_full() const;  // kMaxDiagnostics were noted: what follows is only counted, so hints need not be searched for
  void finish();         // notes unknown keys; "$schema" and "note" are always allowed

  const JsonDocument& document() const { return document_; }
  const JsonValue& value() const { return value_; }
  Diagnostics& diagnostics() { return diagnostics_; }
  const std::string& what() const { return what_; }

  // Checked readings of a value already at hand.
  double read_number(const JsonValue& value, std::string_view key, Range range);
  double read_quantity(const JsonValue& value, std::string_view key, UnitKind kind, Range range);

 private:
  template <class Q>
  Sourced<Q> read_sourced(std::string_view key, const JsonValue& member, UnitKind kind, Range range) {
    Source source;
    const JsonValue* value = value_and_source(key, member, source);
    return {Q(value == nullptr ? 0.0 : read_quantity(*value, key, kind, range)), source};
  }
  const JsonValue* value_and_source(std::string_view key, const JsonValue& member, Source& source);
  std::string read_text(const JsonValue& value, std::string_view key);
  bool check_range(const JsonValue& value, std::string_view key, double number, Range range, std::string_view shown);

  const JsonDocument& document_;
  const JsonValue& value_;
  std::string what_;
  Diagnostics& diagnostics_;
  std::vector<std::string> asked_;
};

}  // namespace oblea
