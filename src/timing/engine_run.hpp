// EngineRun: which inference program runs and how, as far as its speed depends on it.
#pragma once

namespace oblea {

enum class EngineFamily { llama_cpp, ik_llama_cpp, distributed_llama };

enum class EngineBackend { cuda, metal, vulkan, rocm, cpu };

// `early`: before June 2024. Every kernel is launched on its own and CUDA multiplies a prompt on cuBLAS, after
// unpacking quantised weights to 16 bit. `current`: CUDA graphs, and prompts on int8 tiles.
enum class EngineGeneration { early, current };

struct EngineRun {
  EngineFamily family = EngineFamily::llama_cpp;
  EngineBackend backend = EngineBackend::cuda;
  EngineGeneration generation = EngineGeneration::current;
  bool flash_attention = true;
  int threads = 0;        // CPU; 0: one a core
  int sockets = 1;        // CPU sockets that the threads are spread over
  int micro_batch = 512;  // prompt tokens computed at once
};

}  // namespace oblea
