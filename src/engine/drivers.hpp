// Drivers: the two ways in which time passes over a fleet. Both give the same stamps; they differ in how often SimGrid
// wakes.
#pragma once

#include "engine/clock.hpp"
#include "engine/fleet.hpp"

namespace oblea {

// From event to event: arrivals, passes or rows of them, phases, caches handed on.
void drive_by_events(Fleet& fleet, SimulatedTime& time);

// Every pass of every stage and every hop on SimGrid: the slow truth.
void drive_step_by_step(Fleet& fleet, SimulatedTime& time);

}  // namespace oblea
