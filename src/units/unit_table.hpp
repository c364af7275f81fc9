// The table of units as parsing and messages see it.
#pragma once

#include <string>
#include <string_view>

#include "units/parse.hpp"

namespace oblea {

// The unit of this kind with exactly this spelling, or nullptr.
const Unit* find_unit(std::string_view symbol, UnitKind kind);
const Unit* find_unit_of_any_kind(std::string_view symbol);

// The unit of this kind whose spelling differs at most in upper and lower case, or nullptr.
const Unit* find_unit_but_for_case(std::string_view symbol, UnitKind kind);

// "B, kB, MB, ...": the spellings to offer for this kind.
std::string list_units(UnitKind kind);

bool equal_but_for_case(std::string_view a, std::string_view b);  // ASCII letters

}  // namespace oblea
