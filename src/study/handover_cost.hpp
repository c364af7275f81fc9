// HandoverCost: what it takes to bring a request's cache from the replica that read it to the one that answers.
#pragma once

#include <string>

#include "base/result.hpp"
#include "hardware/library.hpp"
#include "study/scenario.hpp"

namespace oblea {

struct HandoverCost {
  double latency_s = 0;
  double s_per_token = 0;
  std::string words;  // "128 KiB a token over TCP at 1.17 GB/s"
};

// The narrowest way from a prefill replica's first card to a decode replica's: through host memory in one box, over TCP
// or RDMA between boxes. Each token's cache is that of the workload's prompt, shared equally over its tokens; all of it
// takes this one way, although cards with a part each could send side by side: slow rather than fast.
// Example: Llama 3.1 8B, 128 KiB a token (32 layers x 2 x 1,024 x 2 B), 1.17 GB/s: 0.11 ms a token, 0.11 s for 1,000.
// Errors: those of the cluster and its topology, a part that nothing reaches.
Result<HandoverCost> handover_cost(const Scenario& scenario, const ProfileLibrary& library);

}  // namespace oblea
