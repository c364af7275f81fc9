// EnginePlanOfWafers: a chain of wafers as the engine runs it, and micro-batch size as the trade of latency for rate.
//
// Scope: a stage a wafer. A pass of n tokens takes a layer's latency once and 2 x active weights x (n - 1) operations
// at the dense 16-bit peak times 0.3 (an estimate; nothing is published), so a micro-batch of one agrees with `place`.
// Limits: reading the cache from SRAM costs nothing (37 MB at 43 PB/s: 1 ns); a prompt streams through like a
// micro-batch; out of order a wafer's visits are taken together.
#pragma once

#include "base/result.hpp"
#include "hardware/library.hpp"
#include "study/simulated_plan.hpp"

namespace oblea {

// Errors: a wafer without a layer latency.
Result<SimulatedPlan> plan_wafer_chain(const Scenario& scenario, const ProfileLibrary& library);

// One size of micro-batch in a full pipeline: as many in flight as there are stages, fewer where the KV room or the
// requests do not give as many.
struct MicroBatchRow {
  int sequences = 1;  // in a micro-batch
  double in_flight = 0;
  double tpot_s = 0;
  double tokens_per_s = 0;  // of all
};

// Closed pipeline: N / max(sum S, groups x max S). Example: stages of 2 and 3 us, no hops, one sequence a group, 8
// requests: 2 groups in flight, TPOT max(5, 2 x 3) = 6 us, 2 / 6 us = 333,333 tokens/s.
std::vector<MicroBatchRow> micro_batch_rows(const EnginePlan& plan, int requests_max);

}  // namespace oblea
