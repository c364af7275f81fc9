#include "placement/offload.hpp"

#include <algorithm>

#include "base/check.hpp"
#include "placement/capacity.hpp"
#include "placement/partition.hpp"
#include "placement/refusal.hpp"

namespace oblea {
namespace {

// The GPUs among the devices, and where they stand in the whole list.
struct Gpus {
  std::vector<PartitionUnit> units;
  std::vector<int> numbers;
  int host = -1;
};

Gpus gpus_of(std::span<const PlacementDevice> devices) {
  Gpus gpus;
  for (std::size_t i = 0; i < devices.size(); ++i) {
    if (devices[i].is_cpu) {
      OBLEA_CHECK(gpus.host < 0, "off-load goes to one host");
      gpus.host = static_cast<int>(i);
    } else {
      gpus.units.push_back({devices[i].usable.value(), devices[i].seconds_per_byte});
      gpus.numbers.push_back(static_cast<int>(i));
    }
  }
  OBLEA_CHECK(gpus.host >= 0, "off-load needs a host");
  return gpus;
}

PartitionItems items_from(const LayerLoads& loads, int first) {
  return {loads.memory().subspan(first), loads.read().subspan(first), first == 0 ? loads.tied_copy() : 0};
}

// The least number in [0, limit] that `holds`; `holds` is false up to some number and true beyond. limit + 1: none.
template <class Holds>
int least_number(int limit, Holds holds) {
  int low = 0;
  int high = limit + 1;
  while (low < high) {
    const int middle = low + (high - low) / 2;
    if (holds(middle)) {
      high = middle;
    } else {
      low = middle + 1;
    }
  }
  return low;
}

void add_gpu_stages(Placement& placement, const Partition& partition, const Gpus& gpus, int first, int layers) {
  for (const Run& run : partition.runs) {
    const int begin = first + run.begin;
    const int end = first + run.end;
    placement.stages.push_back({begin, end - begin, {gpus.numbers[run.unit]}, begin == 0, end == layers});
  }
  placement.slowest_stage = std::max(placement.slowest_stage, Seconds(partition.slowest));
  placement.all_stages += Seconds(partition.sum);
  placement.every_order_tried = partition.every_order_tried;
}

DoesNotFit host_too_small(const LayerLoads& loads, const Gpus& gpus, std::span<const PlacementDevice> devices,
                          Bytes on_host) {
  std::vector<PartitionUnit> units = gpus.units;
  units.push_back({devices[gpus.host].usable.value(), devices[gpus.host].seconds_per_byte});
  DoesNotFit no = refuse(loads, 1, false, units, UnitOrder::as_given);
  no.why = WhyNot::host_memory_exceeded;
  no.tightest_device = gpus.host;
  no.tightest_required = on_host;
  no.tightest_usable = devices[gpus.host].usable;
  no.tightest_missing = on_host - no.tightest_usable;
  return no;
}

// The model with the routed experts of its first `layers` layers taken away.
ModelFootprint without_experts(ModelFootprint model, int layers) {
  for (int i = 0; i < layers; ++i) {
    LayerFootprint& layer = model.layers[static_cast<std::size_t>(i)];
    layer.weights -= layer.expert_weights;
    layer.expert_weights = Bytes(0);
    layer.expert_read = {};
  }
  return model;
}

// Time the host spends on the experts of layers [begin, end), of which the first `on_host` count.
Seconds host_time(const ModelFootprint& model, const PlacementDevice& host, double concurrency, int begin, int end,
                  int on_host) {
  double bytes = 0;
  for (int i = begin; i < std::min(end, on_host); ++i) {
    const LayerFootprint& layer = model.layers[static_cast<std::size_t>(i)];
    bytes += distinct_experts(layer.experts, layer.active_experts, std::max(concurrency, 1.0)) *
             layer.expert_read.total().value();
  }
  return Seconds(bytes * host.seconds_per_byte);
}

Bytes expert_bytes(const ModelFootprint& model, int layers) {
  Bytes sum;
  for (int i = 0; i < layers; ++i) sum += model.layers[static_cast<std::size_t>(i)].expert_weights;
  return sum;
}

void add_host_experts(Placement& placement, const ModelFootprint& model, const CacheDemand& demand,
                      std::span<const PlacementDevice> devices, const Gpus& gpus) {
  const PlacementDevice& host = devices[gpus.host];
  const int on_host = placement.host_expert_layers;
  placement.expert_device = gpus.host;
  DeviceMemory& memory = placement.memory[static_cast<std::size_t>(gpus.host)];
  memory.weights += expert_bytes(model, on_host);
  memory.free = host.usable - memory.weights;
  const LayerLoads loads(without_experts(model, on_host), demand);
  placement.slowest_stage = placement.all_stages = Seconds(0);
  for (const Stage& stage : placement.stages) {
    const int end = stage.first_layer + stage.layer_count;
    const double on_gpu = loads.read()[end] - loads.read()[stage.first_layer];
    const Seconds time = Seconds(on_gpu * devices[stage.devices[0]].seconds_per_byte) +
                         host_time(model, host, demand.concurrency, stage.first_layer, end, on_host);
    placement.slowest_stage = std::max(placement.slowest_stage, time);
    placement.all_stages += time;
  }
}

// An engine with buffers of its own copies two expert matrices of a layer at a time to the card for a long prompt.
// Example (llama.cpp, Qwen3 30B-A3B in F16): 2 x 128 x 768 x 2,048 x 2 B = 768 MiB; it reserved 898 with them.
CacheDemand with_visiting_experts(const ModelFootprint& model, CacheDemand demand) {
  constexpr double kMatrices = 3;
  Bytes largest;
  for (const LayerFootprint& layer : model.layers) largest = std::max(largest, layer.expert_weights);
  if (demand.buffers.layers.value() > 0) demand.buffers.layers += largest * (2 / kMatrices);
  return demand;
}

std::vector<PlacementDevice> with_room_for_visitors(std::span<const PlacementDevice> devices, const CacheDemand& asked,
                                                    const CacheDemand& demand) {
  const Bytes more = demand.buffers.at(demand.context, false) - asked.buffers.at(asked.context, false);
  std::vector<PlacementDevice> with(devices.begin(), devices.end());
  for (PlacementDevice& device : with) device.usable = std::max(Bytes(0), device.usable - more);
  return with;
}

}  // namespace

PlacementAnswer plan_layer_offload(const ModelFootprint& model, const CacheDemand& demand,
                                   std::span<const PlacementDevice> devices) {
  const Gpus gpus = gpus_of(devices);
  const LayerLoads loads(model, demand);
  const int layers = loads.layer_count();
  const int on_host = least_number(
      layers - 1, [&](int first) { return partition_exists(items_from(loads, first), gpus.units, UnitOrder::best); });
  const double saved = on_host == layers ? loads.tied_copy() : 0;
  const Bytes host_bytes = Bytes(loads.memory()[on_host] - saved) + loads.embedding_on_host();
  if (host_bytes > devices[gpus.host].usable) return host_too_small(loads, gpus, devices, host_bytes);
  Placement placement;
  placement.kind = SplitKind::layer_offload;
  if (on_host > 0) {
    placement.stages.push_back({0, on_host, {gpus.host}, true, on_host == layers});
    placement.slowest_stage = Seconds(loads.read()[on_host] * devices[gpus.host].seconds_per_byte);
    placement.all_stages = placement.slowest_stage;
  }
  if (on_host < layers) {
    const auto partition = solve_partition(items_from(loads, on_host), gpus.units, UnitOrder::best);
    OBLEA_CHECK(partition.has_value(), "the layers left to the GPUs fit them");
    add_gpu_stages(placement, *partition, gpus, on_host, layers);
  }
  account_memory(placement, loads, devices);
  return placement;
}

PlacementAnswer plan_expert_offload(const ModelFootprint& model, const CacheDemand& asked,
                                    std::span<const PlacementDevice> cards_and_host) {
  const CacheDemand demand = with_visiting_experts(model, asked);
  const std::vector<PlacementDevice> devices = with_room_for_visitors(cards_and_host, asked, demand);
  const Gpus gpus = gpus_of(devices);
  const int layers = static_cast<int>(model.layers.size());
  if (gpus.units.empty()) return DoesNotFit{.why = WhyNot::no_devices};
  const int on_host = least_number(layers, [&](int first) {
    const LayerLoads loads(without_experts(model, first), demand);
    return partition_exists(items_from(loads, 0), gpus.units, UnitOrder::best);
  });
  const LayerLoads loads(without_experts(model, std::min(on_host, layers)), demand);
  if (on_host > layers) {
    DoesNotFit no = refuse(loads, 1, gpus.units.size() == 1, gpus.units, UnitOrder::best);
    no.tightest_device = gpus.numbers[no.tightest_device];
    return no;
  }
  const Bytes host_bytes = expert_bytes(model, on_host) + loads.embedding_on_host();
  if (host_bytes > devices[gpus.host].usable) {
    return host_too_small(LayerLoads(model, demand), gpus, devices, host_bytes);
  }
  const auto partition = solve_partition(items_from(loads, 0), gpus.units, UnitOrder::best);
  OBLEA_CHECK(partition.has_value(), "what is left to the GPUs fits them");
  Placement placement;
  placement.kind = SplitKind::expert_offload;
  placement.host_expert_layers = on_host;
  add_gpu_stages(placement, *partition, gpus, 0, layers);
  account_memory(placement, loads, devices);
  add_host_experts(placement, model, demand, devices, gpus);
  return placement;
}

int layers_on_gpus(const Placement& placement, std::span<const PlacementDevice> devices) {
  int layers = 0;
  for (const Stage& stage : placement.stages) {
    if (!devices[stage.devices[0]].is_cpu) layers += stage.layer_count;
  }
  return layers;
}

int experts_on_gpus(const Placement& placement, const ModelFootprint& model, std::span<const PlacementDevice> devices) {
  int experts = 0;
  for (const Stage& stage : placement.stages) {
    if (devices[stage.devices[0]].is_cpu) continue;
    const int begin = std::max(stage.first_layer, placement.host_expert_layers);
    for (int i = begin; i < stage.first_layer + stage.layer_count; ++i) experts += model.layers[i].experts;
  }
  return experts;
}

}  // namespace oblea
