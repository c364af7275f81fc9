// Planning: a machine's devices as placement sees them, and every split of a model over them.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "llm/footprint.hpp"
#include "placement/engine_memory.hpp"
#include "placement/layer_loads.hpp"
#include "placement/placement.hpp"
#include "study/machine.hpp"
#include "study/scenario.hpp"

namespace oblea {

// Accelerators first, in box order; then, where `with_host`, the first box's CPU with its RAM. Where no box has
// an accelerator, each one's CPU stands for one.
struct PlanningDevices {
  std::vector<PlacementDevice> placement;
  std::vector<const Device*> devices;
  std::vector<int> nodes;
  std::vector<PowerControl> controls;  // of each device
  std::size_t accelerators = 0;
  EngineLoad load;   // what `usable` was computed for
  Tokens context{};  // of a request

  std::span<const PlacementDevice> cards() const { return std::span(placement).first(accelerators); }
  Bytes usable() const;  // of the cards together, the buffers beside the head taken off once
  Bytes installed() const;

  // What the engine keeps of one device of a group, part by part, and what stands beside the model on the first.
  std::vector<EngineMemoryPart> kept_by_engine(std::size_t device, bool holds_head, int group) const;
};

// What of a machine changes an engine's buffers.
struct CardLayout {
  int pipeline = 1;      // cards of the only box; between boxes micro-batches of llama.cpp do not overlap
  bool unified = false;  // a SoC, or no card at all: host and device share their memory
};
CardLayout layout_of(const Machine& machine);

// What the engine's memory depends on.
EngineLoad engine_load(const EngineSettings& engine, const ModelFootprint& model, KvFormats cache,
                       const Workload& workload, const CardLayout& layout);

PlanningDevices planning_devices(const Machine& machine, const EngineLoad& load, Tokens context,
                                 const ProfileLibrary& library, bool with_host);

CacheDemand cache_demand(const Workload& workload, const EngineLoad& load);

// One way of spreading the model, and what came of it.
struct PlannedSplit {
  std::string name;  // "layer split", "tensor parallel over 2", "experts of 20 layers on the host"
  PlacementAnswer answer;
  bool uses_host = false;
};

// Layer split always; tensor parallel where there are several equal groups to make; off-load where `planning` holds a
// host.
std::vector<PlannedSplit> plan_splits(const ModelFootprint& model, const CacheDemand& demand,
                                      const PlanningDevices& planning, SplitWish wish);

// Context that the memory holds, but no more than the model was made for, or than is asked.
Tokens useful_context(const Placement& placement, const Scenario& scenario);

std::string split_words(const Placement& placement, const PlanningDevices& planning);

}  // namespace oblea
