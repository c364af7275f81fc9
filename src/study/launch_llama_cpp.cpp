// llama.cpp: llama-server on the node of the last layers, rpc-server on every other.
//
// llama.cpp spreads layers by position: of the n + 1 slots (the layers, then the head) the last -ngl go to the devices,
// and slot i of those to the first device whose cumulative share of -ts exceeds i / -ngl. Servers given with --rpc come
// first in its list of devices. So -ts in whole slots, in list order, is exact. Sources: llama.cpp src/llama-model.cpp
// (load_tensors), src/llama.cpp (order of devices), tools/rpc/README.md; 2026-08.
#include <algorithm>

#include <fmt/core.h>

#include "llm/mixture.hpp"
#include "study/launch_parts.hpp"

namespace oblea {
namespace {

constexpr int kRpcPort = 50052;
constexpr int kFirstWithCpuMoe = 6089;  // --n-cpu-moe: PR 15077, August 2025

std::string backend_of(const Device& device) {
  if (device.vendor == "nvidia") return "CUDA";
  if (device.vendor == "amd") return "ROCm";
  if (device.vendor == "intel") return "SYCL";
  if (device.vendor == "apple") return "MTL";
  return "Vulkan";
}

// A node's GPUs that hold layers, in the order of the stages.
struct NodeGpus {
  int node = 0;
  std::vector<int> devices;
};

std::vector<NodeGpus> gpus_by_node(const Placement& placement, const PlanningDevices& planning) {
  std::vector<NodeGpus> nodes;
  for (const Stage& stage : placement.stages) {
    const int device = stage.devices.front();
    if (planning.placement[static_cast<std::size_t>(device)].is_cpu || stage.layer_count == 0) continue;
    const int node = planning.nodes[static_cast<std::size_t>(device)];
    const auto known = std::find_if(nodes.begin(), nodes.end(), [&](const NodeGpus& n) { return n.node == node; });
    if (known == nodes.end())
      nodes.push_back({node, {device}});
    else if (&*known == &nodes.back())
      known->devices.push_back(device);
    else
      return {};  // the stages come back to a node that they left: no list of devices says that
  }
  return nodes;
}

// The engine's own names of these devices ("CUDA1,CUDA0"); empty where it would take them all in this order anyway.
std::string device_list(const NodeGpus& gpus, const PlanningDevices& planning) {
  std::string list;
  bool usual = true;
  std::size_t in_node = 0;
  std::vector<int> numbers(planning.accelerators, 0);
  for (std::size_t d = 0; d < planning.accelerators; ++d) {
    if (planning.nodes[d] == gpus.node) numbers[d] = static_cast<int>(in_node++);
  }
  usual = gpus.devices.size() == in_node;
  for (std::size_t i = 0; i < gpus.devices.size(); ++i) {
    const auto device = static_cast<std::size_t>(gpus.devices[i]);
    usual = usual && numbers[device] == static_cast<int>(i);
    list += fmt::format("{}{}{}", i == 0 ? "" : ",", backend_of(*planning.devices[device]), numbers[device]);
  }
  return usual ? "" : list;
}

struct Slots {
  std::vector<int> by_device;  // layers, and the head as one more, in the order of the stages
  int on_devices = 0;
};

Slots slots_of(const Placement& placement, const PlanningDevices& planning) {
  Slots slots;
  if (planning.devices.front()->kind == DeviceKind::cpu) return slots;  // nothing to off-load to
  for (const Stage& stage : placement.stages) {
    if (planning.placement[static_cast<std::size_t>(stage.devices.front())].is_cpu || stage.layer_count == 0) continue;
    slots.by_device.push_back(stage.layer_count + (stage.holds_head ? 1 : 0));
    slots.on_devices += slots.by_device.back();
  }
  return slots;
}

// "blk\.([0-9]|1[0-9])\.ffn_.*_exps\.=CPU" would be shorter, a list of numbers is plainer.
std::string expert_override(int layers) {
  std::string numbers;
  for (int i = 0; i < layers; ++i) numbers += fmt::format("{}{}", i == 0 ? "" : "|", i);
  return fmt::format("blk\\.({})\\.ffn_.*_exps\\.=CPU", numbers);
}

void add_experts(CommandLine& line, const Placement& placement, const EngineSettings& engine) {
  if (placement.host_expert_layers == 0) return;
  const bool old = engine.version.starts_with("b") && engine.version.size() > 1 && engine.version.size() < 8 &&
                   engine.version.find_first_not_of("0123456789", 1) == std::string::npos &&
                   std::stoi(engine.version.substr(1)) < kFirstWithCpuMoe;
  if (old)
    line.flag("-ot", expert_override(placement.host_expert_layers));
  else
    line.flag("--n-cpu-moe", std::to_string(placement.host_expert_layers));
}

void add_cache(CommandLine& line, const Scenario& scenario) {
  const double users = scenario.workload.users;
  line.flag("-c", fmt::format("{:.0f}", users * scenario.workload.context.value()));
  line.flag("-np", fmt::format("{:.0f}", users));  // slots share -c equally
  const KvFormats cache = scenario.cache();
  if (cache.k != KvFormat::f16) line.flag("-ctk", std::string(kv_format_name(cache.k)));
  if (cache.v != KvFormat::f16) line.flag("-ctv", std::string(kv_format_name(cache.v)));
}

void add_engine(CommandLine& line, const EngineSettings& engine) {
  line.flag("-fa", engine.flash_attention ? "on" : "off");
  if (engine.micro_batch > 0) {
    line.flag("-ub", std::to_string(engine.micro_batch));
    if (engine.micro_batch > 2048) line.flag("-b", std::to_string(engine.micro_batch));  // -b is 2048 and bounds -ub
  }
  if (engine.row_split) line.flag("-sm", "row");
  if (engine.whole_windows) line.flag("--swa-full");
  if (engine.shared_cache) line.flag("--kv-unified");
}

// Files that oblea does not know by name stand for themselves.
void add_companions(CommandLine& line, const Scenario& scenario) {
  if (scenario.draft) {
    line.flag("-md", fmt::format("{}-{}.gguf", scenario.draft->model.id, scenario.draft->mixture)).flag("-ngld", "99");
  }
  for (int i = 0; scenario.lora && i < scenario.lora->count; ++i) {
    line.flag("--lora", scenario.lora->count == 1 ? "adapter.gguf" : fmt::format("adapter-{}.gguf", i + 1));
  }
  if (scenario.vision) {
    line.flag("--mmproj", fmt::format("mmproj-{}.gguf", scenario.model.id));
    if (scenario.vision->on_host) line.flag("--no-mmproj-offload");
  }
}

// Devices of --rpc are "RPC0", "RPC1", ... in the order of the servers and of their own devices (tools/rpc, October
// 2025 and later).
std::string whole_list(std::size_t remote_devices, const std::string& local) {
  std::string list;
  for (std::size_t i = 0; i < remote_devices; ++i) list += fmt::format("RPC{},", i);
  return list + local;
}

std::string model_file(const Scenario& scenario) {
  if (scenario.mixture == kStoredMixture && !scenario.model_path.empty()) return scenario.model_path;
  return fmt::format("{}-{}.gguf", scenario.model.id, scenario.mixture);
}

}  // namespace

LaunchLines launch_llama_cpp(const Placement& placement, const PlanningDevices& planning, const Scenario& scenario) {
  if (placement.kind == SplitKind::tensor_parallel || placement.kind == SplitKind::tensor_and_layers) {
    return {{}, "llama.cpp has no tensor parallelism of equal shards: ask for engine vllm"};
  }
  const std::vector<NodeGpus> nodes = gpus_by_node(placement, planning);
  if (nodes.empty()) return {{}, "the stages come back to a node that they left, which llama.cpp cannot be told"};
  LaunchLines launch;
  std::string servers;
  for (std::size_t i = 0; i + 1 < nodes.size(); ++i) {
    const std::string name = node_name(scenario, nodes[i].node);
    CommandLine line("rpc-server");
    line.flag("--host", "0.0.0.0").flag("--port", std::to_string(kRpcPort));
    if (const std::string list = device_list(nodes[i], planning); !list.empty()) line.flag("--device", list);
    launch.lines.push_back({name, line.text()});
    servers += fmt::format("{}{}:{}", servers.empty() ? "" : ",", name, kRpcPort);
  }
  const Slots slots = slots_of(placement, planning);
  CommandLine line("llama-server");
  line.flag("-m", model_file(scenario)).flag("-ngl", std::to_string(slots.on_devices));
  if (!servers.empty()) line.flag("--rpc", servers);
  const std::string list = device_list(nodes.back(), planning);
  const std::size_t remote_devices =
      std::max(slots.by_device.size(), nodes.back().devices.size()) - nodes.back().devices.size();
  if (!list.empty()) line.flag("--device", whole_list(remote_devices, list));
  if (slots.by_device.size() > 1) line.flag("-ts", join_numbers(slots.by_device));
  add_experts(line, placement, scenario.engine);
  add_cache(line, scenario);
  add_engine(line, scenario.engine);
  add_companions(line, scenario);
  launch.lines.push_back({node_name(scenario, nodes.back().node), line.text()});
  return launch;
}

}  // namespace oblea
