// What to say about a text that is no quantity of the wanted kind: the fault, and the spelling that was probably meant.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "units/parse.hpp"

namespace oblea {

inline constexpr std::size_t kQuotedLength = 40;  // bytes of the user's text repeated in a message

// The text in quotes, safe to print: control bytes and bytes outside ASCII become '?', long text is cut.
std::string quote(std::string_view text);

UnitError missing_unit(std::string_view text, UnitKind kind);

// Example: wrong_unit("24", "gb", UnitKind::bytes) hints at "24 GB" (1e9 bytes) and "24 GiB" (2^30 bytes).
UnitError wrong_unit(std::string_view number, std::string_view symbol, UnitKind kind);

// For "1,000 W", "1'000 W", "1 000 W", "1,5 W": hints at "1000 W", "1.5 W".
UnitError separator_error(std::string_view text);

// True where a number goes on after a character that must not be inside one: ",000", "'000", "_000", ".000", " 000".
bool goes_on(std::string_view rest);

}  // namespace oblea
