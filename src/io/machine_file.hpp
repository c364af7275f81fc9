// Machine files: a found box as the JSON that `size --have` and `place --have` take, and the whole finding for
// programs.
#pragma once

#include <string>

#include "study/match_machine.hpp"

namespace oblea {

// A node with its note of what was assumed. Reading it back gives the same node. `schema` is the path that an editor
// finds the schema under; empty leaves it out. The node must have a host.
std::string write_machine_file(const MatchedMachine& matched, const std::string& schema);

// {"format": 1, "node": {...} or null, "found": {...}, "matches": [...], "notes": [...], "not_seen": [...]}
std::string write_found_machine(const FoundMachine& found, const MatchedMachine& matched);

}  // namespace oblea
