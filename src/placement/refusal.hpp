// Refusal: why no split fits, in numbers: in total, and on the device that a best attempt overfills.
#pragma once

#include <span>

#include "placement/layer_loads.hpp"
#include "placement/partition.hpp"
#include "placement/placement.hpp"

namespace oblea {

// `loads` are those of one shard; each unit stands for `shards` devices. `one_stage`: a tied head needs no copy.
// tightest_device is the number of the unit; the caller of groups turns it into a device.
// Example: 39.6 GiB of weights over 15.2 + 11.2 GiB: weights_exceed_memory, 13.2 GiB missing in total.
DoesNotFit refuse(const LayerLoads& loads, int shards, bool one_stage, std::span<const PartitionUnit> units,
                  UnitOrder order);

}  // namespace oblea
