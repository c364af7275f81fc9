#include "study/planning.hpp"

#include <algorithm>

#include <fmt/core.h>

#include "placement/layer_split.hpp"
#include "placement/offload.hpp"
#include "placement/tensor_parallel.hpp"

namespace oblea {
namespace {

EngineDevice seen_by_engine(const Device& device, Bytes capacity) {
  return {capacity, device.kind == DeviceKind::cpu, device.architecture};
}

void add(PlanningDevices& planning, const Device& device, Bytes capacity, int node, bool is_cpu, std::string name,
         const PowerControl& control) {
  PlacementDevice placed;
  placed.name = std::move(name);
  placed.capacity = capacity;
  placed.usable = usable_memory(seen_by_engine(device, capacity), planning.load, planning.context);
  if (planning.placement.empty()) {
    placed.usable = std::max(Bytes(0), placed.usable - planning.load.companions.total());
  }
  placed.seconds_per_byte = 1 / device.memory_bandwidth.value.value();
  placed.node = node;
  placed.is_cpu = is_cpu;
  planning.placement.push_back(std::move(placed));
  planning.devices.push_back(&device);
  planning.nodes.push_back(node);
  planning.controls.push_back(control);
}

// No cards anywhere: each box's processor holds and computes its part.
void add_processors(PlanningDevices& planning, const Machine& machine, const ProfileLibrary& library) {
  for (std::size_t i = 0; i < machine.boxes.size(); ++i) {
    const Box& box = machine.boxes[i];
    const Device* cpu = find(library.devices, box.host->cpu);
    if (cpu == nullptr || cpu->kind != DeviceKind::cpu || box.ram_bytes.value() <= 0) continue;
    const std::string name = machine.boxes.size() > 1 ? fmt::format("{} #{}", cpu->name, i + 1) : cpu->name;
    add(planning, *cpu, box.ram_bytes, static_cast<int>(i), false, name, {});
  }
}

// The same cards for an engine that shards every layer over `group` of them.
std::vector<PlacementDevice> cards_of_groups(const PlanningDevices& planning, const EngineLoad& load) {
  std::vector<PlacementDevice> cards(planning.cards().begin(), planning.cards().end());
  for (std::size_t i = 0; i < cards.size(); ++i) {
    const EngineDevice device = seen_by_engine(*planning.devices[i], cards[i].capacity);
    cards[i].usable = usable_memory(device, load, planning.context);
    if (i == 0) cards[i].usable = std::max(Bytes(0), cards[i].usable - load.companions.total());
  }
  return cards;
}

PlacementAnswer plan_groups(const ModelFootprint& model, CacheDemand demand, const PlanningDevices& planning,
                            int group) {
  EngineLoad load = planning.load;
  load.group = group;
  demand.buffers = engine_buffers(load);
  return plan_tensor_parallel(model, demand, cards_of_groups(planning, load), group);
}

bool has_experts(const ModelFootprint& model) {
  return std::any_of(model.layers.begin(), model.layers.end(), [](const LayerFootprint& l) { return l.experts > 0; });
}

bool wants(SplitWish wish, SplitWish split) { return wish == SplitWish::automatic || wish == split; }

void add_offloads(std::vector<PlannedSplit>& splits, const ModelFootprint& model, const CacheDemand& demand,
                  const PlanningDevices& planning) {
  if (has_experts(model)) {
    PlannedSplit experts{"experts on the host", plan_expert_offload(model, demand, planning.placement), true};
    const Placement* p = placement_of(experts.answer);
    if (p != nullptr && p->host_expert_layers == 0) return;  // all of it fits on the cards
    if (p != nullptr) {
      experts.name = fmt::format("experts of {} layers on the host", p->host_expert_layers);
    }
    splits.push_back(std::move(experts));
  }
  PlannedSplit layers{"layers on the host", plan_layer_offload(model, demand, planning.placement), true};
  if (const Placement* p = placement_of(layers.answer)) {
    const int on_cards = layers_on_gpus(*p, planning.placement);
    if (on_cards == static_cast<int>(model.layers.size())) return;
    layers.name = fmt::format("{} of {} layers on the host", static_cast<int>(model.layers.size()) - on_cards,
                              model.layers.size());
  }
  splits.push_back(std::move(layers));
}

}  // namespace

std::vector<EngineMemoryPart> PlanningDevices::kept_by_engine(std::size_t device, bool holds_head, int group) const {
  EngineLoad shared = load;
  shared.group = group;
  const EngineDevice seen = seen_by_engine(*devices[device], placement[device].capacity);
  std::vector<EngineMemoryPart> parts = engine_runtime(seen, shared);
  for (const EngineMemoryPart& part : engine_buffers(shared).parts(context, holds_head)) parts.push_back(part);
  if (device == 0) {
    for (const EngineMemoryPart& part : load.companions.parts()) parts.push_back(part);
  }
  return parts;
}

Bytes PlanningDevices::usable() const {
  Bytes sum{};
  for (const PlacementDevice& device : cards()) sum += device.usable;
  return std::max(Bytes(0), sum - engine_buffers(load).head_extra(context));
}

Bytes PlanningDevices::installed() const {
  Bytes sum{};
  for (const PlacementDevice& device : cards()) sum += device.capacity;
  return sum;
}

EngineLoad engine_load(const EngineSettings& engine, const ModelFootprint& model, KvFormats cache,
                       const Workload& workload, const CardLayout& layout) {
  EngineLoad load;
  load.engine = engine;
  load.shape = model.shape;
  load.cache = cache;
  load.embedding = model.embedding;
  load.requests = workload.users;
  load.pipeline = layout.pipeline;
  load.unified = layout.unified;
  return load;
}

CardLayout layout_of(const Machine& machine) {
  const std::vector<const Device*>& devices = machine.boxes.front().devices;
  CardLayout layout;
  if (machine.boxes.size() == 1) layout.pipeline = std::max(1, static_cast<int>(devices.size()));
  layout.unified = devices.empty() || devices.front()->kind == DeviceKind::soc;
  return layout;
}

PlanningDevices planning_devices(const Machine& machine, const EngineLoad& load, Tokens context,
                                 const ProfileLibrary& library, bool with_host) {
  PlanningDevices planning;
  planning.load = load;
  planning.context = context;
  std::vector<int> nodes;
  const std::vector<const Device*> devices = all_devices(machine, &nodes);
  for (std::size_t i = 0; i < devices.size(); ++i) {
    const Device& device = *devices[i];
    const std::string name = devices.size() > 1 ? fmt::format("{} #{}", device.name, i + 1) : device.name;
    // A SoC's memory is its box's RAM, which may be less than the most that the chip takes.
    const Bytes ram = machine.boxes[static_cast<std::size_t>(nodes[i])].ram_bytes;
    const bool unified = device.kind == DeviceKind::soc && ram.value() > 0 && ram < device.memory.value;
    const Bytes capacity = unified ? ram * value_or(device.usable_memory_fraction, 1.0) : accelerator_memory(device);
    add(planning, device, capacity, nodes[i], false, name, machine.boxes[static_cast<std::size_t>(nodes[i])].control());
  }
  const Box& first = machine.boxes.front();
  const Device* cpu = find(library.devices, first.host->cpu);
  const bool has_cpu = cpu != nullptr && cpu->kind == DeviceKind::cpu && first.ram_bytes.value() > 0;
  if (devices.empty()) add_processors(planning, machine, library);
  planning.accelerators = planning.placement.size();
  if (with_host && has_cpu && !devices.empty()) {
    add(planning, *cpu, first.ram_bytes, 0, true, "host RAM", {});
  }
  return planning;
}

CacheDemand cache_demand(const Workload& workload, const EngineLoad& load) {
  CacheRules rules = cache_rules(load.engine);
  if (load.unified) rules.embedding_on_host = false;
  return {.context = workload.context, .concurrency = workload.users, .rules = rules, .buffers = engine_buffers(load)};
}

std::vector<PlannedSplit> plan_splits(const ModelFootprint& model, const CacheDemand& demand,
                                      const PlanningDevices& planning, SplitWish wish) {
  std::vector<PlannedSplit> splits;
  const int cards = static_cast<int>(planning.accelerators);
  if (wants(wish, SplitWish::layer)) {
    splits.push_back(
        {cards > 1 ? "layer split" : "one device", plan_layer_split(model, demand, planning.cards()), false});
  }
  if (cards > 1 && wants(wish, SplitWish::tensor)) {
    splits.push_back(
        {fmt::format("tensor parallel over {}", cards), plan_groups(model, demand, planning, cards), false});
    for (int group = cards / 2; group > 1; group /= 2) {
      if (cards % group != 0) continue;
      splits.push_back({fmt::format("tensor parallel over {}, {} stages", group, cards / group),
                        plan_groups(model, demand, planning, group), false});
    }
  }
  const bool with_host = planning.placement.size() > planning.accelerators;
  if (with_host && wants(wish, SplitWish::offload)) add_offloads(splits, model, demand, planning);
  return splits;
}

Tokens useful_context(const Placement& placement, const Scenario& scenario) {
  if (scenario.model.max_context <= 0) return placement.context_max;
  const Tokens made_for(static_cast<double>(scenario.model.max_context));
  return std::min(placement.context_max, std::max(made_for, scenario.workload.context));
}

std::string split_words(const Placement& placement, const PlanningDevices& planning) {
  std::string layers;
  for (const Stage& stage : placement.stages) {
    layers += fmt::format("{}{}", layers.empty() ? "" : " + ", stage.layer_count);
  }
  switch (placement.kind) {
    case SplitKind::one_device:
      return fmt::format("all layers on {}", planning.placement.front().name);
    case SplitKind::layers:
      return fmt::format("layer split, {} layers", layers);
    case SplitKind::tensor_parallel:
      return fmt::format("tensor parallel over {}", planning.accelerators);
    case SplitKind::tensor_and_layers:
      return fmt::format("tensor parallel groups, {} layers", layers);
    case SplitKind::layer_offload:
      return fmt::format("layers on the host and cards, {} layers", layers);
    case SplitKind::expert_offload:
      return fmt::format("routed experts of the first {} layers on the host", placement.host_expert_layers);
    case SplitKind::wafers:
      return fmt::format("{} wafers", placement.stages.size());
  }
  return "";
}

}  // namespace oblea
