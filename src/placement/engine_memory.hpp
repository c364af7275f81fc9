// Engine memory: what an inference engine keeps of a device besides weights, KV and state, part by part.
#pragma once

#include <string_view>
#include <vector>

#include "placement/engine_buffers.hpp"
#include "placement/engine_load.hpp"
#include "placement/layer_loads.hpp"

namespace oblea {

std::string_view engine_name(Engine engine);

// A device as an engine sees it.
struct EngineDevice {
  Bytes capacity{};
  bool is_cpu = false;              // the host's own memory
  std::string_view architecture{};  // "ada", "blackwell", ...
};

// How the engine keeps KV. llama.cpp: contexts round up to 256 tokens, a sliding layer keeps window + one micro-batch,
// rounded up to 256 as well, and the token embedding stays in host memory. vLLM: whole blocks; a sliding layer keeps
// window + one pass where every layer's page is as large, else the whole context, in pages of the largest layer's size
// (so did 0.19 with Gemma 4 31B: 983,040 B a token).
// Example: Gemma 3 4B at 131,072 tokens in llama.cpp, 29 windowed layers x 4,096 B x (1,024 + 512) = 174 MiB.
CacheRules cache_rules(const EngineSettings& engine);

// What is there whatever the model does. llama.cpp and generic: CUDA context, libraries and pools 552.7 MiB, on
// Blackwell 749; generic and 5 % of the card for fragmentation (estimate). Measured as what llama.cpp leaves
// "unaccounted": 298 (A40, idle) to 456 MiB (RTX 4090), 749 MiB (RTX PRO 6000); 552.7 leaves room for pools that grow
// with use, and is 0.8 GiB for a 70B less its buffers. Host: the operating system, 2 GiB or an eighth of a memory below
// 16 GiB (estimate). Wafer: nothing. vLLM: see vllm_memory.hpp.
std::vector<EngineMemoryPart> engine_runtime(const EngineDevice& device, const EngineLoad& load);

// The working buffers of one device; nothing on a wafer.
EngineBuffers engine_buffers(const EngineLoad& load);

// Capacity less runtime and the buffers of a device that holds layers but not the head, not below 0.
// Example: 70B in llama.cpp over two nodes, 8,192 tokens: 552.7 + 216 + 8 MiB = 0.76 GiB of each card, and 42.5 MiB
// more where the head lies: 26.4 of 28 GiB are left.
Bytes usable_memory(const EngineDevice& device, const EngineLoad& load, Tokens context);

}  // namespace oblea
