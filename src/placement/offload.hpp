// Off-load: what does not fit on the GPUs goes to the host: whole layers, or only routed experts.
#pragma once

#include <span>

#include "placement/layer_loads.hpp"
#include "placement/placement.hpp"

namespace oblea {

// `devices` holds GPUs and exactly one host (is_cpu). All answers: stages run over the GPUs as in a layer split, the
// host's memory is checked against its own bytes, host_memory_exceeded where that is what fails.

// Whole layers, as llama.cpp -ngl: the first layers stay on the host, as few as possible; embedding with them. Without
// need the host stays empty, which is a plain layer split. Example: 80 layers of 0.5 GB, no ends, one GPU of 11 GB: 22
// layers on the GPU (-ngl 22), 58 on the host, 29 GB.
PlacementAnswer plan_layer_offload(const ModelFootprint& model, const CacheDemand& demand,
                                   std::span<const PlacementDevice> devices);

// Routed experts only, as llama.cpp --n-cpu-moe N: those of the first N layers, N as small as possible; attention, KV,
// norms, router and shared experts stay on the GPUs. Placement::host_expert_layers is N. Example: 48 layers of 0.02 GB
// and 128 experts of 3 MB each (0.384 GB), a GPU of 8 GB: 48 x 0.02 = 0.96 GB, so floor(7.04 / 0.384) = 18 layers keep
// their experts, N = 30, 11.52 GB on the host.
PlacementAnswer plan_expert_offload(const ModelFootprint& model, const CacheDemand& demand,
                                    std::span<const PlacementDevice> devices);

// Layers wholly on GPUs, and experts wholly on GPUs, for a report.
int layers_on_gpus(const Placement& placement, std::span<const PlacementDevice> devices);
int experts_on_gpus(const Placement& placement, const ModelFootprint& model, std::span<const PlacementDevice> devices);

}  // namespace oblea
