// Placement: which layer sits on which device, and what that leaves in each device's memory.
#pragma once

#include <string>
#include <variant>
#include <vector>

#include "units/quantity.hpp"

namespace oblea {

// A device as placement sees it. `usable` is what weights, KV and state may take: capacity less what the engine keeps.
struct PlacementDevice {
  std::string name;
  Bytes capacity{};
  Bytes usable{};
  double seconds_per_byte = 0;  // 1 / attained bandwidth; ranks stages, is no prediction
  int node = 0;
  bool is_cpu = false;
};

enum class SplitKind {
  one_device,
  layers,             // contiguous layers, one device a stage
  tensor_parallel,    // one stage, every device a shard of it
  tensor_and_layers,  // stages that are tensor-parallel groups
  layer_offload,      // first layers on the host (llama.cpp -ngl)
  expert_offload,     // routed experts of the first layers on the host (llama.cpp --n-cpu-moe)
  wafers
};

// A contiguous run of layers. Several devices are a tensor-parallel group.
struct Stage {
  int first_layer = 0;
  int layer_count = 0;
  std::vector<int> devices;  // indices into the devices that were planned over
  bool holds_embedding = false;
  bool holds_head = false;
};

// weights + kv + state + buffers + runtime + free = capacity.
struct DeviceMemory {
  Bytes weights{};
  Bytes kv{};       // at the asked context and concurrency
  Bytes state{};    // of linear and ssm layers, at the asked concurrency
  Bytes runtime{};  // of the engine, whatever the model does: contexts, libraries, what it leaves free
  Bytes free{};
  Bytes buffers{};  // of the engine, for a pass of this model at the asked context
};

struct Placement {
  SplitKind kind = SplitKind::layers;
  std::vector<Stage> stages;         // in the order that a token visits them
  std::vector<DeviceMemory> memory;  // one a device, in the order given
  Seconds slowest_stage{};  // weights, KV and state read in one decode pass x seconds_per_byte; ranks, predicts nothing
  Seconds all_stages{};
  Tokens kv_tokens_left{};        // further tokens, over all requests together, until the fullest device is full
  Tokens context_max{};           // a request, at the asked concurrency; at most kMaxContextTokens
  double concurrency_max = 0;     // requests, at the asked context; at most kMaxUsers
  int tightest_device = -1;       // the one that sets context_max
  bool every_order_tried = true;  // false: too many different devices, the order given was kept
  int host_expert_layers = 0;     // expert_offload: layers whose routed experts live on `expert_device`
  int expert_device = -1;
};

enum class WhyNot {
  no_devices,
  weights_exceed_memory,   // before the first token of context
  cache_exceeds_memory,    // weights fit, with KV and state they do not
  layers_do_not_divide,    // enough in total, yet no cut between layers respects every device
  heads_do_not_divide,     // heads % group != 0
  kv_heads_do_not_divide,  // kv_heads % group != 0 and group % kv_heads != 0
  devices_do_not_divide,   // the devices do not make whole groups
  host_memory_exceeded,    // what is off-loaded is more than the host holds
  layer_exceeds_wafer      // one layer alone is larger than a wafer; `layer` -1: the embedding or the head
};

// The answer "no", with the numbers that a report needs to show its arithmetic.
struct DoesNotFit {
  WhyNot why = WhyNot::weights_exceed_memory;
  Bytes weights{};  // required = weights + kv + state, over all devices
  Bytes kv{};
  Bytes state{};
  Bytes required{};
  Bytes usable{};            // of all devices
  Bytes missing{};           // required - usable, not below 0
  int tightest_device = -1;  // in the split that overfills its fullest device least
  Bytes tightest_required{};
  Bytes tightest_usable{};
  Bytes tightest_missing{};  // this much more on every device and it fits
  int group = 0;             // the rule that failed: devices in a tensor-parallel group
  int heads = 0;
  int kv_heads = 0;
  int layer = -1;             // the layer that broke the rule
  std::vector<int> groups{};  // sizes of a group that the heads allow, where they forbid the asked one
};

using PlacementAnswer = std::variant<Placement, DoesNotFit>;

inline bool fits(const PlacementAnswer& answer) { return std::holds_alternative<Placement>(answer); }
inline const Placement* placement_of(const PlacementAnswer& answer) { return std::get_if<Placement>(&answer); }
inline const DoesNotFit* refusal_of(const PlacementAnswer& answer) { return std::get_if<DoesNotFit>(&answer); }

}  // namespace oblea
