// PlannedFleet: a scenario's replicas as the engine runs them, and what becomes of each when components fail.
//
// Scope: a replica that loses a component stops at once; what is left of it is planned anew, with the same users and
// context, or it is down until a repair. Limits: the balancer outside never fails and reaches every replica; each
// change costs detection and loading, a repair too.
#pragma once

#include <string>
#include <vector>

#include "study/failures.hpp"
#include "study/planned_part.hpp"

namespace oblea {

// What happened to one replica at one time.
struct FleetChange {
  double at_s = 0;
  int replica = 0;
  std::string what;      // "node2 fails"
  std::string part;      // that it runs on from then on: "node1"; empty: none holds the model
  std::string why_none;  // where it is empty
  double ready_s = 0;
};

struct PlannedFleet {
  FleetPlan fleet;
  std::vector<PlannedPart> whole;  // each replica while everything works; the fleet is empty unless all fit
  PlanFactors low;                 // the widest band of all its plans
  PlanFactors high;
  Origin origin = Origin::measured_elsewhere;
  std::vector<FleetChange> changes;  // by time
  std::string handover;              // between prefill and decode, in words; empty: no split
};

// Example: 2 nodes, 1 replica over both, node2 down from 120 s to 720 s, detection 10 s, loading 30 s: phases from 0 on
// both nodes; from 120 s on node1 alone where the model fits it, serving from 160 s, else none; from 720 s on both
// again, serving from 760 s.
// At first all replicas load at once and share a NAS; after a failure each loads alone. `timing` must outlive the
// plans. Errors: parts that are not equal, and those of plan_part.
Result<PlannedFleet> plan_fleet(const Scenario& scenario, const ProfileLibrary& library, const TimingParameters& timing,
                                const Loading& loading, const std::vector<DownChange>& timeline);

}  // namespace oblea
