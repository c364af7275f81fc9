// Layer split: contiguous runs of layers over devices (llama.cpp -sm layer, pipeline parallel), runs as uneven as it
// takes.
#pragma once

#include <span>

#include "placement/layer_loads.hpp"
#include "placement/partition.hpp"
#include "placement/placement.hpp"

namespace oblea {

// The split with the least slowest stage, then the least sum of stages, in which every device holds its layers' weights
// and the KV and state of `concurrency` requests of `context` tokens. A device may stay empty. A stage's time, for
// ranking, is seconds_per_byte x (weights touched + KV + state); hops between nodes do not count. Embedding on the
// first stage, head on the last. Loads are made once for a model and demand; a call then costs a few microseconds.
// Example: 80 equal layers of 0.5 GB over 24 GB at 1 ns/B and 24 GB at 2 ns/B: 48 and 32 layers, as 48 x 0.5 fills 24
// GB.
PlacementAnswer plan_layer_split(const LayerLoads& loads, std::span<const PlacementDevice> devices,
                                 UnitOrder order = UnitOrder::best);

PlacementAnswer plan_layer_split(const ModelFootprint& model, const CacheDemand& demand,
                                 std::span<const PlacementDevice> devices, UnitOrder order = UnitOrder::best);

// The same question without the split: about a microsecond.
bool layer_split_exists(const LayerLoads& loads, std::span<const PlacementDevice> devices,
                        UnitOrder order = UnitOrder::best);

}  // namespace oblea
