// Drivers: the ways in which time passes over a server. All give the same stamps; they differ in how often SimGrid
// wakes.
#pragma once

#include "engine/clock.hpp"
#include "engine/server.hpp"

namespace oblea {

// One pass after another through all stages; a row of equal decode passes at once, by its closed form.
void drive_in_rows(Server& server, SimulatedTime& time);

// Several groups circulate: when each pass enters and leaves each stage follows from the ones before (max-plus).
void drive_groups(Server& server, SimulatedTime& time);

// Every pass of every stage and every hop on SimGrid: the slow truth.
void drive_step_by_step(Server& server, SimulatedTime& time);

}  // namespace oblea
