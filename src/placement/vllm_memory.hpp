// VLLM memory: what vLLM takes of a device before it plans its cache: the peak of its profiling pass, graphs,
// collectives.
#pragma once

#include <vector>

#include "placement/engine_buffers.hpp"
#include "placement/engine_load.hpp"

namespace oblea {

// The peak of the profiling pass, which vLLM measures and keeps free. T tokens a pass, 16-bit activations, group n:
//   layers   T x 2 B x (3 f / n + 3 hidden): gate and up, their product, residual, input, norm. Experts: T x 2 B x
//            (active x max(2 w / n, hidden) + active x w / n + 3 hidden), w the width of one
//   sampler  sequences_max x vocabulary x 14 B (0.8 and later), 40 B before, where only unchunked prompts count
//   head     the larger of the two phases counts; T x hidden x 2 B beside either
// Without chunked prefill T is the context: before 0.8 that was the default up to 32,768 tokens, so a start may fail at
// 29,000 tokens and succeed at 35,000. Fitted constants: 14 and 40 (nine starts of six models, 2024 to 2026).
// Example (Llama 3.1 8B, unchunked 20,000 tokens): 20,000 x (2 x 3 x 14,336 + 2 x 3 x 4,096 + 8,192) B = 2.21 GiB; the
// log's peak and non-torch memory are 2.42, of which 0.15 GiB are engine_runtime's.
EngineBuffers vllm_buffers(const EngineLoad& load);

// The tenth that --gpu-memory-utilization leaves, non-torch memory, CUDA graphs (charged to the fraction since 0.21;
// 0.6 GiB, an estimate), and NCCL: 342 MiB for two devices, 392 MiB for more (NVIDIA aiconfigurator, 2026-08).
std::vector<EngineMemoryPart> vllm_runtime(Bytes capacity, const EngineLoad& load);

// What a prompt's pass takes where the user set nothing: 2,048 tokens; chunked before 0.7: 512.
int vllm_pass_tokens(const EngineSettings& engine);

}  // namespace oblea
