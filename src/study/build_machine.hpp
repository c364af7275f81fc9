// From a scenario's cluster settings to a Machine: profiles looked up, cards seated, links negotiated.
#pragma once

#include "base/result.hpp"
#include "hardware/library.hpp"
#include "study/machine.hpp"
#include "study/scenario.hpp"

namespace oblea {

// Errors: cards that do not go into the host's slots, nodes whose NICs or switch do not match. A node without a supply
// keeps none: its verdict is left out.
Result<Machine> build_machine(const Scenario& scenario, const ProfileLibrary& library);

}  // namespace oblea
