#include "units/parse.hpp"

#include <charconv>
#include <cmath>
#include <system_error>
#include <utility>

#include "units/unit_error.hpp"
#include "units/unit_table.hpp"

namespace oblea {
namespace {

constexpr std::string_view kEuroSign = "\xE2\x82\xAC";

bool is_digit(char c) { return c >= '0' && c <= '9'; }

// What parsing by hand splits off: the number, its text, and the unit's text after one optional space.
struct NumberAndUnit {
  double number = 0;
  std::string_view number_text;
  std::string_view unit;
  UnitError error;
};

NumberAndUnit split(std::string_view text) {
  NumberAndUnit parts;
  if (text.empty()) {
    parts.error = {"empty text where a number with a unit was expected", {}};
    return parts;
  }
  const std::size_t sign = text.front() == '-' ? 1 : 0;
  if (text.size() <= sign || (!is_digit(text[sign]) && text[sign] != '.')) {  // also keeps "nan" and "inf" out
    parts.error = {quote(text) + " does not start with a number", {}};
    return parts;
  }
  const char* const end = text.data() + text.size();
  const auto [stop, status] = std::from_chars(text.data(), end, parts.number);
  if (status == std::errc::invalid_argument) {
    parts.error = {quote(text) + " does not start with a number", {}};
    return parts;
  }
  if (status != std::errc() || !std::isfinite(parts.number)) {
    parts.error = {"the number in " + quote(text) + " is out of range", {}};
    return parts;
  }
  parts.number_text = text.substr(0, static_cast<std::size_t>(stop - text.data()));
  parts.unit = text.substr(parts.number_text.size());
  if (goes_on(parts.unit)) {
    parts.error = separator_error(text);
    return parts;
  }
  if (!parts.unit.empty() && parts.unit.front() == ' ') parts.unit.remove_prefix(1);
  if (parts.unit.size() != 0 && (parts.unit.front() == ' ' || parts.unit.back() == ' ')) {
    parts.error = {quote(text) + " has too many spaces", "one space between number and unit, none around them"};
  }
  return parts;
}

// Dividing by the whole number 1e6 rounds once, multiplying by 1e-6 twice: "50 us" is exactly the double 50e-6.
double to_base(double number, double factor) { return factor < 1 ? number / std::round(1 / factor) : number * factor; }

struct MoneyPrefix {
  std::string_view rest;
  const Currency* currency = nullptr;  // set where the text began with a currency sign
};

constexpr Currency kEuro = Currency::eur;
constexpr Currency kDollar = Currency::usd;

MoneyPrefix take_currency_sign(std::string_view text) {
  if (text.starts_with(kEuroSign)) return {text.substr(kEuroSign.size()), &kEuro};
  if (text.starts_with('$')) return {text.substr(1), &kDollar};
  return {text, nullptr};
}

ParsedMoney parse_amount(std::string_view text, UnitKind kind) {
  const MoneyPrefix prefix = take_currency_sign(text);
  NumberAndUnit parts = split(prefix.rest);
  if (!parts.error.message.empty()) return {{}, std::move(parts.error)};
  if (prefix.currency != nullptr) {
    const std::string_view expected = kind == UnitKind::money ? "" : "/kWh";
    if (parts.unit == expected) return {{parts.number, *prefix.currency}, {}};
    if (parts.unit.empty()) return {{}, missing_unit(text, kind)};
    return {{},
            {"unexpected " + quote(parts.unit) + " after " + quote(text.substr(0, text.size() - parts.unit.size())),
             "units of " + std::string(unit_kind_name(kind)) + ": " + list_units(kind)}};
  }
  if (parts.unit.empty()) return {{}, missing_unit(text, kind)};
  const Unit* unit = find_unit(parts.unit, kind);
  if (unit == nullptr) return {{}, wrong_unit(parts.number_text, parts.unit, kind)};
  const bool is_dollar = unit->symbol.starts_with("USD") || unit->symbol.starts_with('$');
  return {{parts.number, is_dollar ? Currency::usd : Currency::eur}, {}};
}

}  // namespace

ParsedValue parse_value(std::string_view text, UnitKind kind) {
  if (kind == UnitKind::money || kind == UnitKind::money_per_kilowatt_hour) {  // a bare double would lose the currency
    return ParsedValue::failed({"money is read together with its currency", {}});
  }
  NumberAndUnit parts = split(text);
  if (!parts.error.message.empty()) return ParsedValue::failed(std::move(parts.error));
  if (parts.unit.empty()) return ParsedValue::failed(missing_unit(text, kind));
  const Unit* unit = find_unit(parts.unit, kind);
  if (unit == nullptr) return ParsedValue::failed(wrong_unit(parts.number_text, parts.unit, kind));
  const double value = to_base(parts.number, unit->factor);
  if (!std::isfinite(value)) return ParsedValue::failed({quote(text) + " is out of range", {}});
  return ParsedValue::of(value);
}

ParsedMoney parse_money(std::string_view text) { return parse_amount(text, UnitKind::money); }

ParsedMoney parse_money_per_kilowatt_hour(std::string_view text) {
  return parse_amount(text, UnitKind::money_per_kilowatt_hour);
}

}  // namespace oblea
