#include "units/unit_error.hpp"

#include <charconv>
#include <system_error>
#include <utility>

#include <fmt/core.h>

#include "units/unit_table.hpp"

namespace oblea {
namespace {

// Bits are counted by nobody here but networks; each prefix with the unit that was probably meant.
constexpr std::string_view kBitUnits[] = {"b", "kb", "Kb", "Mb", "Gb", "Tb", "Kib", "Mib", "Gib"};

bool is_digit(char c) { return c >= '0' && c <= '9'; }

// "k", "M", "G", "T", "P" of a symbol that starts so in either case, else 0. Case is what the user got wrong.
char prefix_of(std::string_view symbol) {
  switch (symbol.empty() ? '\0' : symbol.front()) {
    case 'k':
    case 'K':
      return 'k';
    case 'm':
    case 'M':
      return 'M';
    case 'g':
    case 'G':
      return 'G';
    case 't':
    case 'T':
      return 'T';
    case 'p':
    case 'P':
      return 'P';
    default:
      return 0;
  }
}

std::string with_number(std::string_view number, std::string_view unit) {
  return fmt::format("\"{} {}\"", number.substr(0, kQuotedLength), unit);
}

// "24 gb", "24 Gb", "24 g": a multiple of bytes, but which?
std::string hint_for_bytes(std::string_view number, std::string_view symbol) {
  const char prefix = prefix_of(symbol);
  const bool is_multiple = prefix != 0 && prefix != 'P' &&
                           (symbol.size() == 1 || (symbol.size() == 2 && equal_but_for_case(symbol.substr(1), "b")));
  if (!is_multiple) return {};
  const std::string decimal = std::string(1, prefix) + "B";
  const std::string binary = std::string(1, prefix == 'k' ? 'K' : prefix) + "iB";
  const char* power = prefix == 'k' ? "1e3" : prefix == 'M' ? "1e6" : prefix == 'G' ? "1e9" : "1e12";
  const char* binary_power = prefix == 'k' ? "2^10" : prefix == 'M' ? "2^20" : prefix == 'G' ? "2^30" : "2^40";
  return "did you mean " + with_number(number, decimal) + " (" + power + " bytes) or " + with_number(number, binary) +
         " (" + binary_power + " bytes)?";
}

// "10 Gb", "10 GB", "10 GBps": a bandwidth that leaves open whether bits or bytes pass, or in which time.
std::string hint_for_bandwidth(std::string_view number, std::string_view symbol) {
  const char prefix = prefix_of(symbol);
  if (prefix == 0 || prefix == 'P') return {};
  const std::string_view rest = symbol.substr(1);
  if (!rest.empty() && !equal_but_for_case(rest, "b") && !equal_but_for_case(rest, "bps") &&
      !equal_but_for_case(rest, "b/s") && !equal_but_for_case(rest, "bit") && !equal_but_for_case(rest, "bit/s")) {
    return {};
  }
  const std::string start(1, prefix);
  const std::string bits = with_number(number, start + "bps") + " (bits)";
  const std::string octets = with_number(number, start + "B/s") + " (bytes)";
  const bool says_bytes = !rest.empty() && rest.front() == 'B';
  return says_bytes ? "did you mean " + octets + " or " + bits + "?" : "did you mean " + bits + " or " + octets + "?";
}

std::string hint_for_unit(std::string_view number, std::string_view symbol, UnitKind kind) {
  if (kind == UnitKind::bytes) {
    if (std::string hint = hint_for_bytes(number, symbol); !hint.empty()) return hint;
  }
  if (kind == UnitKind::bytes_per_second) {
    if (std::string hint = hint_for_bandwidth(number, symbol); !hint.empty()) return hint;
  }
  if (const Unit* unit = find_unit_but_for_case(symbol, kind)) {
    return "did you mean " + with_number(number, unit->symbol) + "?";
  }
  return "units of " + std::string(unit_kind_name(kind)) + ": " + list_units(kind);
}

// The text without its separators ("1,000 W" to "1000 W"), or with a point for a decimal comma ("1,5 W" to "1.5 W").
std::string without_separators(std::string_view text) {
  std::string plain;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    const bool between_digits = i > 0 && i + 1 < text.size() && is_digit(text[i - 1]) && is_digit(text[i + 1]);
    const bool is_separator = c == ',' || c == '\'' || c == '_' || c == ' ';
    if (!between_digits || !is_separator) {
      plain += c;
      continue;
    }
    std::size_t end = i + 1;
    while (end < text.size() && is_digit(text[end])) ++end;
    if (c == ',' && end - i - 1 != 3) plain += '.';
  }
  return plain;
}

}  // namespace

std::string quote(std::string_view text) {
  std::string quoted = "\"";
  for (const char byte : text.substr(0, kQuotedLength)) quoted += byte >= 0x20 && byte < 0x7f ? byte : '?';
  return quoted + (text.size() > kQuotedLength ? "...\"" : "\"");
}

UnitError missing_unit(std::string_view text, UnitKind kind) {
  return {quote(text) + " has no unit", "units of " + std::string(unit_kind_name(kind)) + ": " + list_units(kind)};
}

UnitError wrong_unit(std::string_view number, std::string_view symbol, UnitKind kind) {
  const std::string name(unit_kind_name(kind));
  std::string message = "unit " + quote(symbol) + " is not a unit of " + name;
  for (const std::string_view bit_unit : kBitUnits) {
    if (symbol == bit_unit) message += " (it counts bits)";
  }
  if (const Unit* other = find_unit_of_any_kind(symbol)) {
    message += " but of " + std::string(unit_kind_name(other->kind));
  }
  return {std::move(message), hint_for_unit(number, symbol, kind)};
}

bool goes_on(std::string_view rest) {
  return rest.size() > 1 && is_digit(rest[1]) &&
         (rest[0] == ',' || rest[0] == '\'' || rest[0] == '_' || rest[0] == '.' || rest[0] == ' ');
}

UnitError separator_error(std::string_view text) {
  UnitError error{quote(text) + " has a separator inside the number", "write digits and a point for decimals only"};
  const std::string plain = text.size() <= kQuotedLength ? without_separators(text) : std::string();
  double ignored = 0;
  const auto parsed = std::from_chars(plain.data(), plain.data() + plain.size(), ignored);
  const std::string_view rest(parsed.ptr, static_cast<std::size_t>(plain.data() + plain.size() - parsed.ptr));
  if (!plain.empty() && parsed.ec == std::errc() && !goes_on(rest)) error.hint += ": " + quote(plain);
  return error;
}

}  // namespace oblea
