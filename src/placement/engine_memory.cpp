#include "placement/engine_memory.hpp"

#include <algorithm>

#include "base/check.hpp"
#include "placement/engine_version.hpp"
#include "placement/llama_cpp_memory.hpp"
#include "placement/vllm_memory.hpp"

namespace oblea {
namespace {

constexpr Bytes kContext = kMiB * 552.7;
constexpr Bytes kBlackwellContext = kMiB * 749.0;
constexpr Bytes kHostReserve = kGiB * 2.0;
constexpr double kGenericShare = 0.05;
constexpr Tokens kLlamaPad{256};
constexpr int kLlamaMicroBatch = 512;

using Parts = std::vector<EngineMemoryPart>;

Bytes context_of(const EngineDevice& device) {
  return device.architecture.starts_with("blackwell") ? kBlackwellContext : kContext;
}

Parts cuda_runtime(const EngineDevice& device, const EngineLoad& load) {
  Parts parts{{"CUDA context, libraries, pools", context_of(device)}};
  const bool generic = load.engine.kind == Engine::generic || load.engine.kind == Engine::distributed_llama;
  if (generic) parts.push_back({"fragmentation", device.capacity * kGenericShare});
  return parts;
}

}  // namespace

std::string_view engine_name(Engine engine) {
  switch (engine) {
    case Engine::llama_cpp:
      return "llama.cpp";
    case Engine::vllm:
      return "vllm";
    case Engine::generic:
      return "generic";
    case Engine::wafer:
      return "wafer";
    case Engine::distributed_llama:
      return "distributed-llama";
  }
  return "";
}

int micro_batch_of(const EngineSettings& engine) {
  if (engine.kind == Engine::vllm) return vllm_pass_tokens(engine);
  return engine.micro_batch > 0 ? engine.micro_batch : kLlamaMicroBatch;
}

CacheRules cache_rules(const EngineSettings& engine) {
  CacheRules rules;
  rules.respects_windows = !engine.whole_windows;
  if (engine.kind == Engine::llama_cpp) {
    rules.window_extra = Tokens(micro_batch_of(engine));
    rules.block = kLlamaPad;
    rules.embedding_on_host = true;
  }
  if (engine.kind == Engine::vllm) {
    rules.window_extra = Tokens(micro_batch_of(engine));
    rules.block = Tokens(engine.block);
    rules.one_page_size = true;
    if (is_vllm_before(engine.version, 0, 10)) rules.respects_windows = false;
  }
  return rules;
}

Parts engine_runtime(const EngineDevice& device, const EngineLoad& load) {
  OBLEA_CHECK(device.capacity.value() >= 0 && load.group >= 1, "a device and an engine that exist");
  Parts parts;
  if (device.is_cpu) {
    parts.push_back({"operating system", std::min(kHostReserve, device.capacity / 8.0)});
  } else if (load.engine.kind == Engine::vllm) {
    parts = vllm_runtime(device.capacity, load);
  } else if (load.engine.kind != Engine::wafer) {
    parts = cuda_runtime(device, load);
  }
  if (load.engine.reserve.value() > 0) parts.push_back({"reserve", load.engine.reserve});
  return parts;
}

EngineBuffers engine_buffers(const EngineLoad& load) {
  switch (load.engine.kind) {
    case Engine::llama_cpp:
    case Engine::generic:
    case Engine::distributed_llama:
      return llama_cpp_buffers(load);
    case Engine::vllm:
      return vllm_buffers(load);
    case Engine::wafer:
      return {};
  }
  return {};
}

Bytes usable_memory(const EngineDevice& device, const EngineLoad& load, Tokens context) {
  Bytes kept = engine_buffers(load).at(context, false);
  for (const EngineMemoryPart& part : engine_runtime(device, load)) kept += part.bytes;
  return std::max(Bytes(0), device.capacity - kept);
}

}  // namespace oblea
