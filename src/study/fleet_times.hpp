// FleetTimes: how long lanes exist and replicas serve in a run, from the fleet's phases.
#pragma once

#include <string>
#include <vector>

#include "engine/engine_plan.hpp"

namespace oblea {

// A stage of a phase of a replica, in the order of `lane_names`.
struct Lane {
  std::string name;
  int replica = 0;
  double alive_s = 0;  // of its phase, within the run
};

std::vector<Lane> lanes_of(const FleetPlan& fleet, double end_s);

// Seconds of [0, end] in which at least one replica serves; of a prefill/decode split one of each.
// Example: replica 1 down from 10 to 30 s, replica 2 from 20 to 40 s, end 100 s: all but 20 to 30, 90 s.
double available_s(const FleetPlan& fleet, double end_s);

// Seconds in which what is left of no replica can hold the model: nothing is even being loaded.
double outage_s(const FleetPlan& fleet, double end_s);

// Room for sequences and cache of all replicas that answer, while everything works.
ServingPlan room_of(const FleetPlan& fleet);

}  // namespace oblea
