// Text for people: what was found, what it was matched to, what is assumed, and what could not be seen.
#pragma once

#include <string>

#include "study/match_machine.hpp"

namespace oblea {

std::string print_machine(const FoundMachine& found, const MatchedMachine& matched);

std::string_view match_kind_name(MatchKind kind);  // "exact", "nearest", "none"

// "gen4 x8", "gen4 x8 (now gen1)"; "" where no link was seen.
std::string print_link(const FoundLink& link);

}  // namespace oblea
