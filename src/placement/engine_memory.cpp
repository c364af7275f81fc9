#include "placement/engine_memory.hpp"

#include <algorithm>

#include "base/check.hpp"

namespace oblea {
namespace {

constexpr Bytes kLlamaContext = kMiB * 552.7;
constexpr Bytes kVllmContext = kGiB * 0.5;
constexpr Bytes kHostReserve = kGiB * 2.0;
constexpr double kLogitBytes = 4;            // fp32
constexpr double kActivationBytes = 4;       // fp32, one hidden vector a token
constexpr double kVllmSamplingBytes = 28;    // seven fp32 copies of the logits
constexpr double kVllmActivationBytes = 26;  // thirteen 16-bit hidden vectors a token
constexpr double kGenericShare = 0.05;
constexpr Tokens kVllmBlock{16};

using Parts = std::vector<EngineMemoryPart>;

void add_buffers(Parts& parts, const EngineMemoryQuery& query) {
  const double tokens = query.micro_batch;
  if (query.may_hold_head) parts.push_back({"logits", Bytes(tokens * double(query.vocabulary) * kLogitBytes)});
  parts.push_back({"activations", Bytes(tokens * double(query.hidden) * kActivationBytes)});
}

// Example: 2 devices 342 MiB, 4 or more 392 MiB.
void add_collectives(Parts& parts, int group) {
  if (group > 1) parts.push_back({"collectives", kMiB * (group == 2 ? 342.0 : 392.0)});
}

void add_vllm(Parts& parts, Bytes capacity, const EngineMemoryQuery& query) {
  parts.push_back({"left free by memory_fraction", capacity * (1 - query.memory_fraction)});
  parts.push_back({"CUDA context", kVllmContext});
  if (query.may_hold_head) {
    parts.push_back({"sampling", Bytes(double(query.sequences_max) * double(query.vocabulary) * kVllmSamplingBytes)});
  }
  parts.push_back({"activations", Bytes(double(query.micro_batch) * double(query.hidden) * kVllmActivationBytes)});
  add_collectives(parts, query.group);
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
  }
  return "";
}

int default_micro_batch(Engine engine) { return engine == Engine::vllm ? 2048 : 512; }

CacheRules cache_rules(Engine engine, int micro_batch) {
  CacheRules rules;
  if (engine == Engine::llama_cpp) rules.window_extra = Tokens(micro_batch);
  if (engine == Engine::vllm) rules.block = kVllmBlock;
  return rules;
}

std::vector<EngineMemoryPart> engine_memory(Bytes capacity, const EngineMemoryQuery& query) {
  OBLEA_CHECK(capacity.value() >= 0 && query.micro_batch >= 0 && query.group >= 1, "a device and an engine that exist");
  Parts parts;
  if (query.is_cpu) {
    parts.push_back({"operating system", std::min(kHostReserve, capacity / 8.0)});
    if (query.engine != Engine::wafer) add_buffers(parts, query);
  } else if (query.engine == Engine::vllm) {
    add_vllm(parts, capacity, query);
  } else if (query.engine != Engine::wafer) {
    parts.push_back({"CUDA context and libraries", kLlamaContext});
    add_buffers(parts, query);
    add_collectives(parts, query.group);
    if (query.engine == Engine::generic) parts.push_back({"fragmentation", capacity * kGenericShare});
  }
  if (query.reserve.value() > 0) parts.push_back({"reserve", query.reserve});
  return parts;
}

Bytes usable_memory(Bytes capacity, const EngineMemoryQuery& query) {
  Bytes kept;
  for (const EngineMemoryPart& part : engine_memory(capacity, query)) kept += part.bytes;
  return std::max(Bytes(0), capacity - kept);
}

}  // namespace oblea
