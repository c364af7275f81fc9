// vLLM: `vllm serve`, over Ray where there are several nodes. Uneven stages go by VLLM_PP_LAYER_PARTITION.
// Sources: docs.vllm.ai engine arguments and environment variables, vllm/distributed/utils.py (get_pp_indices);
// 2026-08.
#include <algorithm>
#include <filesystem>

#include <fmt/core.h>

#include "study/launch_parts.hpp"

namespace oblea {
namespace {

constexpr int kRayPort = 6379;

void add_ray(LaunchLines& launch, const std::vector<int>& nodes, const Scenario& scenario) {
  const std::string head = node_name(scenario, nodes.front());
  launch.lines.push_back({head, fmt::format("ray start --head --port={}", kRayPort)});
  for (std::size_t i = 1; i < nodes.size(); ++i) {
    launch.lines.push_back({node_name(scenario, nodes[i]),
                            CommandLine("ray start").word(fmt::format("--address={}:{}", head, kRayPort)).text()});
  }
}

// The folder of a checkpoint, or the model's id, for which the user puts the name under which it is published.
std::string model_name(const Scenario& scenario) {
  const std::filesystem::path path = scenario.model_path;
  if (path.empty()) return scenario.model.id;
  if (path.extension() != ".json" && path.extension() != ".safetensors") return path.string();
  return path.has_parent_path() ? path.parent_path().string() : ".";
}

// The checkpoint says how it is quantised, unless 16-bit weights are to be cut to eight while loading.
void add_weights(CommandLine& line, const Scenario& scenario) {
  if (scenario.mixture == "FP8" && scenario.model.native_format == "BF16") line.flag("--quantization", "fp8");
}

void add_engine(CommandLine& line, const EngineSettings& engine) {
  line.flag("--gpu-memory-utilization", fmt::format("{:g}", engine.memory_fraction));
  if (engine.micro_batch > 0) line.flag("--max-num-batched-tokens", std::to_string(engine.micro_batch));
  if (!engine.chunked_prefill) line.flag("--no-enable-chunked-prefill");
  if (!engine.cuda_graphs) line.flag("--enforce-eager");
  if (engine.whole_windows) line.flag("--disable-hybrid-kv-cache-manager");
  if (engine.block != EngineSettings{}.block) line.flag("--block-size", std::to_string(engine.block));
}

}  // namespace

LaunchLines launch_vllm(const Placement& placement, const PlanningDevices& planning, const Scenario& scenario) {
  const bool on_host = placement.kind == SplitKind::layer_offload || placement.kind == SplitKind::expert_offload;
  if (on_host) return {{}, "vLLM runs no layers on the host: ask for engine llama.cpp"};
  if (scenario.kv != KvFormat::f16 && scenario.kv != KvFormat::fp8) {
    return {{}, fmt::format("vLLM keeps no {} cache: ask for f16 or fp8", kv_format_name(scenario.kv))};
  }
  std::vector<int> layers;
  for (const Stage& stage : placement.stages) layers.push_back(stage.layer_count);
  const std::vector<int> nodes = nodes_in_order(placement, planning);
  LaunchLines launch;
  if (nodes.size() > 1) add_ray(launch, nodes, scenario);
  const bool uneven = std::adjacent_find(layers.begin(), layers.end(), std::not_equal_to<>()) != layers.end();
  CommandLine line(uneven ? fmt::format("VLLM_PP_LAYER_PARTITION={} vllm serve", join_numbers(layers)) : "vllm serve");
  line.word(model_name(scenario));
  line.flag("--tensor-parallel-size", std::to_string(placement.stages.front().devices.size()));
  if (layers.size() > 1) line.flag("--pipeline-parallel-size", std::to_string(layers.size()));
  if (nodes.size() > 1) line.flag("--distributed-executor-backend", "ray");
  line.flag("--max-model-len", fmt::format("{:.0f}", scenario.workload.context.value()));
  line.flag("--max-num-seqs",
            std::to_string(scenario.engine.sequences_max > 0 ? scenario.engine.sequences_max
                                                             : static_cast<int>(scenario.workload.users)));
  if (scenario.kv == KvFormat::fp8) line.flag("--kv-cache-dtype", "fp8");
  add_weights(line, scenario);
  add_engine(line, scenario.engine);
  launch.lines.push_back({node_name(scenario, nodes.front()), line.text()});
  return launch;
}

}  // namespace oblea
