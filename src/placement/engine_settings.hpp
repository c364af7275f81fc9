// EngineSettings: which inference engine runs, in which version, and the switches that change what it keeps in memory.
#pragma once

#include <string>

#include "units/quantity.hpp"

namespace oblea {

enum class Engine { llama_cpp, vllm, generic, wafer, distributed_llama };

struct EngineSettings {
  Engine kind = Engine::llama_cpp;
  std::string version;           // "b6500", "0.10.2"; empty: of 2026
  int micro_batch = 0;           // tokens of one prefill pass: llama.cpp -ub, vLLM max_num_batched_tokens; 0: default
  bool flash_attention = true;   // llama.cpp -fa
  bool whole_windows = false;    // sliding layers keep the whole context: llama.cpp --swa-full, vLLM without a hybrid
                                 // cache manager
  bool shared_cache = false;     // llama.cpp --kv-unified: slots share one cache, and a mask over all of it
  bool row_split = false;        // llama.cpp -sm row: every matrix cut over the cards, KV on the main card
  bool all_logits = true;        // llama.cpp reserves logits of a whole micro-batch, as all did before build 9500
  bool chunked_prefill = true;   // vLLM; false: a pass takes a whole prompt
  bool cuda_graphs = true;       // vLLM without --enforce-eager; llama.cpp too
  double memory_fraction = 0.9;  // vLLM --gpu-memory-utilization
  int sequences_max = 0;         // vLLM --max-num-seqs; 0: default
  int block = 16;                // vLLM --block-size, tokens
  bool windows_os = false;       // Windows drivers move what does not fit into host memory instead of failing
  Bytes reserve{};               // kept free on every device for whatever else runs there
};

}  // namespace oblea
