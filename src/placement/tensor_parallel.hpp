// Tensor parallel: every device of a group holds an equal shard of every layer; groups may follow each other as stages.
#pragma once

#include <span>

#include "placement/layer_loads.hpp"
#include "placement/partition.hpp"
#include "placement/placement.hpp"

namespace oblea {

// Groups of `group` devices, taken in the order given (put the devices of a node side by side); the groups are the
// stages of a layer split. Shards are equal, so a group's memory is group x its smallest device and its speed that of
// its slowest. No engine splits unevenly (vLLM issues 9157 and 10204, PR 50735 closed in August 2026). Example: 16 and
// 12 GiB with 0.8 GiB kept on each: 2 x 11.2 = 22.4 GiB, not 26.4.
PlacementAnswer plan_tensor_parallel(const ModelFootprint& model, const CacheDemand& demand,
                                     std::span<const PlacementDevice> devices, int group,
                                     UnitOrder order = UnitOrder::as_given);

// The same for a caller that plans one model many times. `shard_loads` are LayerLoads of shard_model(model, group), and
// check_shards has passed.
PlacementAnswer plan_shards(const LayerLoads& shard_loads, std::span<const PlacementDevice> devices, int group,
                            UnitOrder order = UnitOrder::as_given);

// What the devices give to tensor parallelism: groups x group x smallest of the group.
Bytes tensor_parallel_memory(std::span<const PlacementDevice> devices, int group);

// Group sizes from 1 to `devices` that the heads allow. Example: 28 heads, 4 KV heads, up to 28: 1, 2, 4, 28.
std::vector<int> allowed_groups(const ModelFootprint& model, int devices);

}  // namespace oblea
