// Engine memory: what an inference engine keeps of a device besides weights, KV and state, part by part.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "placement/layer_loads.hpp"
#include "units/quantity.hpp"

namespace oblea {

enum class Engine { llama_cpp, vllm, generic, wafer };

std::string_view engine_name(Engine engine);

struct EngineMemoryQuery {
  Engine engine = Engine::llama_cpp;
  bool is_cpu = false;      // the host's own memory
  std::int64_t hidden = 0;  // of the model
  std::int64_t vocabulary = 0;
  int micro_batch = 512;         // tokens of one prefill pass: llama.cpp -ub; vLLM max_num_batched_tokens, 2048
  bool may_hold_head = true;     // the planner may put the head here, so the logits buffer counts
  int group = 1;                 // tensor-parallel devices
  int sequences_max = 256;       // vLLM max_num_seqs
  double memory_fraction = 0.9;  // vLLM gpu_memory_utilization
  Bytes reserve{};               // whatever else the user wants kept free
};

// Micro-batch that an engine takes by default. Sources: llama.cpp -ub 512; vLLM V1 max_num_batched_tokens 2048.
int default_micro_batch(Engine engine);

// How the engine keeps KV: llama.cpp a window and one micro-batch, vLLM whole blocks of 16 tokens.
// Source: Gemma 3 4B at 131,072 tokens in llama.cpp, 29 windowed layers x 4,096 B x (1,024 + 512) = 174 MiB, as it
// reports.
CacheRules cache_rules(Engine engine, int micro_batch);

struct EngineMemoryPart {
  std::string_view name;
  Bytes bytes{};
};

// The parts that are kept, for a report. Formulas, bytes of one GPU:
//   llama.cpp  CUDA context and libraries 552.7 MiB; logits micro_batch x vocabulary x 4; activations
//              micro_batch x hidden x 4. The two buffers are what it prints ("compute buffer size = 258.50 MiB" for
//              Llama 3 8B: 512 x 128,256 x 4
//              + 512 x 4,096 x 4). The context is what is left of 0.8 GiB for a 70B (28 GiB installed, 26.4 usable on
//              two cards) and lies within the 0.3 to 0.6 GiB that drivers take.
//   vLLM       (1 - memory_fraction) x capacity; CUDA context 0.5 GiB; sampling sequences_max x vocabulary x 28;
//              activations micro_batch x hidden x 26; NCCL 342 MiB for two devices, 392 MiB for more. 28 and 26 are
//              fitted to three starts of Llama 3.1 8B on a 3090 (KV left 3.81 GiB at 20,000 tokens a pass, 2.89 GiB at
//              29,000, peak 1.09 GiB above the weights at 2,048), within 0.15 GiB. NCCL: NVIDIA aiconfigurator,
//              2026-08.
//   generic    as llama.cpp, and 5 % of the card for fragmentation. Estimate.
//   wafer      nothing: working buffers are ignored.
//   host       operating system: 2 GiB, or an eighth of a memory below 16 GiB; the two buffers. Estimate.
// Example (llama.cpp, 70B: hidden 8,192, vocabulary 128,256): 552.7 + 250.5 + 16 = 819.2 MiB = 0.8 GiB.
std::vector<EngineMemoryPart> engine_memory(Bytes capacity, const EngineMemoryQuery& query);

// Capacity less the parts, not below 0. Example: 16 and 12 GiB with llama.cpp and a 70B: 15.2 + 11.2 = 26.4 GiB.
Bytes usable_memory(Bytes capacity, const EngineMemoryQuery& query);

}  // namespace oblea
