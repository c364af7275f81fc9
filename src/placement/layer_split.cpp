#include "placement/layer_split.hpp"

#include "placement/capacity.hpp"
#include "placement/refusal.hpp"

namespace oblea {
namespace {

std::vector<PartitionUnit> units_of(std::span<const PlacementDevice> devices) {
  std::vector<PartitionUnit> units;
  units.reserve(devices.size());
  for (const PlacementDevice& device : devices) units.push_back({device.usable.value(), device.seconds_per_byte});
  return units;
}

PartitionItems items_of(const LayerLoads& loads) { return {loads.memory(), loads.read(), loads.tied_copy()}; }

Placement to_placement(const LayerLoads& loads, const Partition& partition) {
  Placement placement;
  placement.kind = partition.runs.size() == 1 ? SplitKind::one_device : SplitKind::layers;
  placement.slowest_stage = Seconds(partition.slowest);
  placement.all_stages = Seconds(partition.sum);
  placement.every_order_tried = partition.every_order_tried;
  placement.stages.reserve(partition.runs.size());
  for (const Run& run : partition.runs) {
    placement.stages.push_back(
        {run.begin, run.end - run.begin, {run.unit}, run.begin == 0, run.end == loads.layer_count()});
  }
  return placement;
}

}  // namespace

PlacementAnswer plan_layer_split(const LayerLoads& loads, std::span<const PlacementDevice> devices, UnitOrder order) {
  if (devices.empty()) return DoesNotFit{.why = WhyNot::no_devices};
  const std::vector<PartitionUnit> units = units_of(devices);
  const std::optional<Partition> partition = solve_partition(items_of(loads), units, order);
  if (!partition) return refuse(loads, 1, devices.size() == 1, units, order);
  Placement placement = to_placement(loads, *partition);
  account_memory(placement, loads, devices);
  return placement;
}

PlacementAnswer plan_layer_split(const ModelFootprint& model, const CacheDemand& demand,
                                 std::span<const PlacementDevice> devices, UnitOrder order) {
  return plan_layer_split(LayerLoads(model, demand), devices, order);
}

bool layer_split_exists(const LayerLoads& loads, std::span<const PlacementDevice> devices, UnitOrder order) {
  return partition_exists(items_of(loads), units_of(devices), order);
}

}  // namespace oblea
