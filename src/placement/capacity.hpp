// Capacity: how much context or how many requests a placement still takes, exact to one token or one request.
#pragma once

#include <span>
#include <vector>

#include "placement/layer_loads.hpp"
#include "placement/placement.hpp"
#include "units/quantity.hpp"

namespace oblea {

// The largest whole context c with concurrency x (kv(c) + state) + buffers(c) <= room, for layers [begin, end); at most
// kMaxContextTokens, which it also is where nothing grows. 0 when not even the state fits. Buffers of some engines fall
// beyond a threshold (vLLM 0.7 chunks prompts above 32,768 tokens): the far side is tried first.
// Example: Llama 3.3 70B keeps 80 x 4,096 B = 327,680 B a token; 4 GiB and one request: 4,294,967,296 / 327,680 =
// 13,107.
Tokens largest_context(const LayerLoads& loads, int begin, int end, Bytes room, double concurrency);

// The largest whole number n with n x (kv(context) + state) + buffers(context) <= room; at most kMaxUsers.
// Example: two layers with 6.29 MB of state, 10.02 GB of room: 10.02e9 / 12.58e6 = 796.
double largest_concurrency(const LayerLoads& loads, int begin, int end, Bytes room, Tokens context);

// Whole numbers in (low, limit], the largest that `holds`; `holds` is true up to some number and false beyond. `low`:
// none.
template <class Holds>
double largest_whole(double limit, Holds holds, double low = -1) {
  if (holds(limit)) return limit;
  while (limit - low > 1) {
    const double middle = low + static_cast<double>(static_cast<long long>((limit - low) / 2));
    (holds(middle) ? low : limit) = middle;
  }
  return low;
}

struct StageCapacity {
  Tokens context{};        // at the asked concurrency
  double concurrency = 0;  // at the asked context
};

// One a stage; a placement's own figures are the least of these.
std::vector<StageCapacity> stage_capacities(const LayerLoads& loads, const Placement& placement,
                                            std::span<const PlacementDevice> devices);

// Fills in what follows from `stages`: every device's memory, and the placement's capacity figures. A stage's devices
// hold the same (`loads` are those of one shard), so its smallest device rules.
void account_memory(Placement& placement, const LayerLoads& loads, std::span<const PlacementDevice> devices);

}  // namespace oblea
