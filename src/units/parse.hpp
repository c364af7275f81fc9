// Text to quantity: "10 Gbps", "24 GiB", "350 W". One table of units serves parsing, messages and documentation.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "units/money.hpp"
#include "units/quantity.hpp"

namespace oblea {

enum class UnitKind {
  bytes,
  bytes_per_second,
  flops_per_second,
  seconds,
  hertz,
  watts,
  joules,
  celsius,
  kelvins,
  tokens,
  tokens_per_second,
  watts_per_kelvin,
  kelvins_per_watt,
  money,
  money_per_kilowatt_hour,
  volts,
  amperes,
  litres,
  litres_per_hour
};

struct Unit {
  std::string_view symbol;  // as written: "GiB", "Gbps", "us"
  UnitKind kind;
  double factor;  // base units in one of this
};

// Every unit that is understood, in the order in which messages list them.
const std::vector<Unit>& all_units();

std::string_view unit_kind_name(UnitKind kind);

// What was wrong with the text, in words that name the remedy ("unit \"Gb\" is not a bandwidth; did you mean
// \"Gbps\"?").
struct UnitError {
  std::string message;
  std::string hint;
};

// A number and its unit. `b` is bit, `B` byte; k M G T are powers of ten, Ki Mi Gi Ti powers of two.
// Example: parse_value("10 Gbps", UnitKind::bytes_per_second) is 1.25e9.
// A number without a unit, a unit of another kind, NaN and infinities are errors.
class ParsedValue {
 public:
  static ParsedValue of(double base_value) { return ParsedValue(base_value, {}); }
  static ParsedValue failed(UnitError error) { return ParsedValue(0, std::move(error)); }
  bool ok() const { return error_.message.empty(); }
  double value() const { return value_; }
  const UnitError& error() const { return error_; }

 private:
  ParsedValue(double value, UnitError error) : value_(value), error_(std::move(error)) {}
  double value_;
  UnitError error_;
};

ParsedValue parse_value(std::string_view text, UnitKind kind);

// "650 EUR", "399 USD". The unit is the currency.
struct ParsedMoney {
  Money money;
  UnitError error;  // empty message when it parsed
};
ParsedMoney parse_money(std::string_view text);

// "0.2872 EUR/kWh": the money that one kilowatt-hour costs. Also "€0.2872/kWh".
ParsedMoney parse_money_per_kilowatt_hour(std::string_view text);

}  // namespace oblea
