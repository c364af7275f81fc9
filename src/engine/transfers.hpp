// Transfers: bytes on their way over shared resources (disks, wires, slots), max-min fair, as SimGrid shares them.
#pragma once

#include <string>
#include <vector>

#include "base/result.hpp"

namespace oblea {

// A disk, one direction of a wire or a slot, the software that reads a file: whatever has a rate of its own.
struct SharedResource {
  std::string name;
  double bytes_per_s = 0;
  double latency_s = 0;
};

// Streams through all resources of its path at once; the slowest share rules. It begins `delay_s` after `after` has
// ended (-1: after the start of the run).
struct Transfer {
  std::string name;
  double bytes = 0;
  std::vector<int> path;      // of SharedResource
  double rate_max_per_s = 0;  // bytes a second of this one alone; 0: none
  int after = -1;             // an earlier one
  double delay_s = 0;
};

struct TransferPlan {
  std::vector<SharedResource> resources;
  std::vector<Transfer> transfers;
};

struct TransferTimes {
  std::vector<double> begin_s;  // by transfer
  std::vector<double> end_s;
  std::vector<double> bytes;  // by resource, carried in all
};

// Alone a transfer takes sum of latencies + bytes / the least rate on its path; k of them on one resource get 1/k each.
// In a forked child. Errors: a path of nothing, an index out of range, a rate of zero, the child was killed.
Result<TransferTimes> run_transfers(const TransferPlan& plan);

}  // namespace oblea
