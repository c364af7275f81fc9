#include "placement/tensor_parallel.hpp"

#include <algorithm>
#include <numeric>

#include "base/check.hpp"
#include "placement/capacity.hpp"
#include "placement/refusal.hpp"
#include "placement/shard.hpp"

namespace oblea {
namespace {

std::vector<PartitionUnit> groups_of(std::span<const PlacementDevice> devices, int group) {
  std::vector<PartitionUnit> units;
  for (std::size_t first = 0; first + group <= devices.size(); first += group) {
    PartitionUnit unit{devices[first].usable.value(), devices[first].seconds_per_byte};
    for (const PlacementDevice& device : devices.subspan(first, group)) {
      unit.capacity = std::min(unit.capacity, device.usable.value());
      unit.seconds_per_byte = std::max(unit.seconds_per_byte, device.seconds_per_byte);
    }
    units.push_back(unit);
  }
  return units;
}

std::vector<int> members(int unit, int group) {
  std::vector<int> devices(static_cast<std::size_t>(group));
  std::iota(devices.begin(), devices.end(), unit * group);
  return devices;
}

int smallest_member(int unit, int group, std::span<const PlacementDevice> devices) {
  const std::vector<int> all = members(unit, group);
  return *std::min_element(all.begin(), all.end(), [&](int a, int b) { return devices[a].usable < devices[b].usable; });
}

SplitKind kind_of(int group, std::size_t stages) {
  if (group == 1) return stages == 1 ? SplitKind::one_device : SplitKind::layers;
  return stages == 1 ? SplitKind::tensor_parallel : SplitKind::tensor_and_layers;
}

}  // namespace

PlacementAnswer plan_shards(const LayerLoads& shard_loads, std::span<const PlacementDevice> devices, int group,
                            UnitOrder order) {
  OBLEA_CHECK(group >= 1, "a group has devices");
  if (devices.empty()) return DoesNotFit{.why = WhyNot::no_devices};
  if (devices.size() % static_cast<std::size_t>(group) != 0) {
    DoesNotFit no;
    no.why = WhyNot::devices_do_not_divide;
    no.group = group;
    return no;
  }
  const std::vector<PartitionUnit> units = groups_of(devices, group);
  const PartitionItems items{shard_loads.memory(), shard_loads.read(), shard_loads.tied_copy()};
  const std::optional<Partition> partition = solve_partition(items, units, order);
  if (!partition) {
    DoesNotFit no = refuse(shard_loads, group, units.size() == 1, units, order);
    no.group = group;
    no.tightest_device = smallest_member(no.tightest_device, group, devices);
    return no;
  }
  Placement placement;
  placement.kind = kind_of(group, partition->runs.size());
  placement.slowest_stage = Seconds(partition->slowest);
  placement.all_stages = Seconds(partition->sum);
  placement.every_order_tried = partition->every_order_tried;
  for (const Run& run : partition->runs) {
    placement.stages.push_back({run.begin, run.end - run.begin, members(run.unit, group), run.begin == 0,
                                run.end == shard_loads.layer_count()});
  }
  account_memory(placement, shard_loads, devices);
  return placement;
}

PlacementAnswer plan_tensor_parallel(const ModelFootprint& model, const CacheDemand& demand,
                                     std::span<const PlacementDevice> devices, int group, UnitOrder order) {
  if (std::optional<DoesNotFit> broken = check_shards(model, group)) {
    broken->groups = allowed_groups(model, broken->heads);
    return *std::move(broken);
  }
  return plan_shards(LayerLoads(shard_model(model, group), demand), devices, group, order);
}

Bytes tensor_parallel_memory(std::span<const PlacementDevice> devices, int group) {
  Bytes sum;
  for (const PartitionUnit& unit : groups_of(devices, group)) sum += Bytes(unit.capacity) * double(group);
  return sum;
}

std::vector<int> allowed_groups(const ModelFootprint& model, int devices) {
  std::vector<int> groups;
  for (int group = 1; group <= devices; ++group) {
    if (!check_shards(model, group)) groups.push_back(group);
  }
  return groups;
}

}  // namespace oblea
