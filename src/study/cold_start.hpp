// ColdStart: from where a cluster's weights come, and how long until every device has its own.
#pragma once

#include <vector>

#include "base/result.hpp"
#include "hardware/library.hpp"
#include "report/report.hpp"
#include "study/placed_cluster.hpp"
#include "study/scenario.hpp"

namespace oblea {

struct ColdStart {
  double ready_s = 0;  // all weights are in place
  double low_s = 0;    // band
  double high_s = 0;
  std::vector<double> box_ready_s;  // by box
  Table table;                      // what each box reads, from where, what paces it
  std::vector<std::string> notes;
};

// All boxes start at once; those that load from the NAS share its disks and its wire. `scenario.storage` must be set,
// `placed` must hold a placement. Errors: profiles that the library does not know.
Result<ColdStart> cold_start(const Scenario& scenario, const PlacedCluster& placed, const ProfileLibrary& library);

}  // namespace oblea
