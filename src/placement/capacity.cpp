#include "placement/capacity.hpp"

#include <algorithm>
#include <cmath>

#include "base/check.hpp"
#include "base/limits.hpp"

namespace oblea {
namespace {

int end_of(const Stage& stage) { return stage.first_layer + stage.layer_count; }

// A tied head is no copy where one stage holds both ends.
Bytes stage_weights(const LayerLoads& loads, const Stage& stage) {
  const Bytes weights = loads.weights(stage.first_layer, end_of(stage));
  const bool whole = stage.first_layer == 0 && end_of(stage) == loads.layer_count();
  return whole ? weights - Bytes(loads.tied_copy()) : weights;
}

int smallest_device(const Stage& stage, std::span<const PlacementDevice> devices) {
  return *std::min_element(stage.devices.begin(), stage.devices.end(),
                           [&](int a, int b) { return devices[a].usable < devices[b].usable; });
}

// `usable` of a device leaves out the buffers of the asked context; what grows with the context needs them back.
Bytes with_buffers(const LayerLoads& loads, const PlacementDevice& device) {
  return device.usable + loads.demand().buffers.at(loads.demand().context, false);
}

StageCapacity capacity_of(const LayerLoads& loads, const Stage& stage, std::span<const PlacementDevice> devices) {
  const Bytes room = with_buffers(loads, devices[smallest_device(stage, devices)]) - stage_weights(loads, stage);
  const CacheDemand& demand = loads.demand();
  return {largest_context(loads, stage.first_layer, end_of(stage), room, demand.concurrency),
          largest_concurrency(loads, stage.first_layer, end_of(stage), room, demand.context)};
}

// The embedding that an engine leaves on the host, where the host is among the devices.
void account_embedding(Placement& placement, const LayerLoads& loads, std::span<const PlacementDevice> devices) {
  for (std::size_t i = 0; i < devices.size(); ++i) {
    if (!devices[i].is_cpu) continue;
    placement.memory[i].weights += loads.embedding_on_host();
    placement.memory[i].free -= loads.embedding_on_host();
  }
}

}  // namespace

Tokens largest_context(const LayerLoads& loads, int begin, int end, Bytes room, double concurrency) {
  const double state = loads.state(begin, end).value();
  const auto holds = [&](double context) {
    const Tokens tokens(context);
    return concurrency * (loads.kv(begin, end, tokens).value() + state) + loads.buffers(end, tokens).value() <=
           room.value();
  };
  const double falls = loads.demand().buffers.falls_after().value();
  const bool beyond = falls < kMaxContextTokens && holds(falls + 1);
  return Tokens(std::max(0.0, largest_whole(beyond ? kMaxContextTokens : std::min(falls, kMaxContextTokens), holds,
                                            beyond ? falls + 1 : -1)));
}

double largest_concurrency(const LayerLoads& loads, int begin, int end, Bytes room, Tokens context) {
  const EngineBuffers& buffers = loads.demand().buffers;
  const double shared = buffers.per_request(context).value();
  const double request = (loads.kv(begin, end, context) + loads.state(begin, end)).value() + shared;
  const double fixed = loads.buffers(end, context).value() - shared * std::max(1.0, buffers.requests);
  const double left = room.value() - std::max(fixed, 0.0);
  if (request * kMaxUsers <= left) return kMaxUsers;
  double requests = std::floor(std::max(left, 0.0) / request);
  if (requests * request > left) requests -= 1;  // the quotient may round up
  return std::max(requests, 0.0);
}

std::vector<StageCapacity> stage_capacities(const LayerLoads& loads, const Placement& placement,
                                            std::span<const PlacementDevice> devices) {
  std::vector<StageCapacity> capacities;
  for (const Stage& stage : placement.stages) capacities.push_back(capacity_of(loads, stage, devices));
  return capacities;
}

void account_memory(Placement& placement, const LayerLoads& loads, std::span<const PlacementDevice> devices) {
  const CacheDemand& demand = loads.demand();
  const double requests = demand.concurrency;
  placement.memory.assign(devices.size(), {});
  for (std::size_t i = 0; i < devices.size(); ++i) {
    const Bytes buffers = demand.buffers.at(demand.context, false);
    placement.memory[i].runtime = std::max(Bytes(0), devices[i].capacity - devices[i].usable - buffers);
    placement.memory[i].buffers = devices[i].is_cpu ? buffers : Bytes(0);
    placement.memory[i].free = devices[i].usable + (devices[i].is_cpu ? Bytes(0) : buffers);
  }
  placement.context_max = Tokens(kMaxContextTokens);
  placement.concurrency_max = kMaxUsers;
  placement.kv_tokens_left = Tokens(kMaxContextTokens * std::max(requests, 1.0));
  placement.tightest_device = placement.stages.empty() ? -1 : placement.stages.front().devices.front();
  for (const Stage& stage : placement.stages) {
    const int end = end_of(stage);
    DeviceMemory share;
    share.weights = stage_weights(loads, stage);
    share.kv = loads.kv(stage.first_layer, end, demand.context) * requests;
    share.state = loads.state(stage.first_layer, end) * requests;
    for (int d : stage.devices) {
      DeviceMemory& memory = placement.memory[static_cast<std::size_t>(d)];
      memory.weights = share.weights;
      memory.kv = share.kv;
      memory.state = share.state;
      memory.buffers = loads.buffers(end, demand.context);
      memory.free = with_buffers(loads, devices[d]) - memory.buffers - share.weights - share.kv - share.state;
      OBLEA_CHECK(memory.free.value() >= -1, "a planned device is not overfull");
    }
    const int smallest = smallest_device(stage, devices);
    const StageCapacity capacity = capacity_of(loads, stage, devices);
    if (capacity.context < placement.context_max) {
      placement.context_max = capacity.context;
      placement.tightest_device = smallest;
    }
    placement.concurrency_max = std::min(placement.concurrency_max, capacity.concurrency);
    const BytesPerToken grows = loads.kv_per_token(stage.first_layer, end);
    if (grows.value() > 0) {
      const double left = std::floor(std::max(0.0, placement.memory[smallest].free / grows / Tokens(1)));
      placement.kv_tokens_left = std::min(placement.kv_tokens_left, Tokens(left));
    }
  }
  account_embedding(placement, loads, devices);
}

}  // namespace oblea
