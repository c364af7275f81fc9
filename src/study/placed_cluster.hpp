// PlacedCluster: a scenario's machine, every split of the model over it, and the fastest that fits. `place` reports it,
// `simulate` runs it.
#pragma once

#include <vector>

#include "base/result.hpp"
#include "hardware/library.hpp"
#include "report/report.hpp"
#include "study/machine.hpp"
#include "study/machine_links.hpp"
#include "study/planning.hpp"
#include "study/scenario.hpp"
#include "study/speed.hpp"
#include "timing/timing_parameters.hpp"

namespace oblea {

struct PlacedCluster {
  Machine machine;
  ModelFootprint model;
  CacheDemand demand;
  PlanningDevices planning;
  std::vector<PlannedSplit> splits;
  MachineLinks links;
  int chosen = -1;  // of `splits`; -1: none fits
  Speed speed;      // of the chosen one

  const Placement* placement() const;  // null where none fits
};

// Errors: a cluster that cannot be built as described, or without a device to compute on.
Result<PlacedCluster> place_on_cluster(const Scenario& scenario, const ProfileLibrary& library,
                                       const TimingParameters& timing);

// "fits" and what is left, or "does-not-fit" and what is missing.
Verdict memory_verdict(const Scenario& scenario, const PlacedCluster& placed);

}  // namespace oblea
