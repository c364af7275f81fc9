#include "placement/vllm_memory.hpp"

#include <algorithm>

#include "placement/engine_version.hpp"

namespace oblea {
namespace {

constexpr double kElement = 2;
constexpr double kSampler = 14;     // bytes a logit: 16-bit logits, fp32 copy, sorted copy, probabilities
constexpr double kOldSampler = 40;  // with sorted indices of 64 bits
constexpr int kSequences = 256;
constexpr double kWholePromptsUntil = 32768;
constexpr Bytes kNonTorch = kGiB * 0.25;
constexpr Bytes kOldNonTorch = kGiB * 0.15;
constexpr Bytes kGraphs = kGiB * 0.6;

bool is_old(const EngineSettings& engine) { return is_vllm_before(engine.version, 0, 8); }

// Bytes of a layer's activations for one token.
double activations(const ModelShape& shape, double group) {
  const double dense = 3 * shape.feed_forward / group;
  double experts = 0;
  if (shape.expert > 0) {
    experts = std::max(2 * shape.expert / group, shape.expert_output) + shape.expert / group;
  }
  return kElement * (std::max(dense, experts) + 4 * shape.hidden);
}

Bytes sampler_bytes(const EngineLoad& load) {
  const int sequences = load.engine.sequences_max > 0 ? load.engine.sequences_max : kSequences;
  return Bytes(sequences * load.shape.vocabulary * (is_old(load.engine) ? kOldSampler : kSampler));
}

}  // namespace

int vllm_pass_tokens(const EngineSettings& engine) {
  if (engine.micro_batch > 0) return engine.micro_batch;
  return is_vllm_before(engine.version, 0, 7) ? 512 : 2048;
}

EngineBuffers vllm_buffers(const EngineLoad& load) {
  const double pass = vllm_pass_tokens(load.engine);
  const double token = activations(load.shape, load.group);
  const bool whole_prompts = !load.engine.chunked_prefill || (is_old(load.engine) && load.engine.micro_batch == 0);
  EngineBuffers buffers;
  buffers.inputs = Bytes(0);
  buffers.layers = Bytes(pass * token);
  if (whole_prompts) {
    buffers.scores = BytesPerToken(token);
    if (load.engine.chunked_prefill) buffers.scores_until = Tokens(kWholePromptsUntil);
  }
  const bool samples = whole_prompts || !is_old(load.engine);
  if (samples) buffers.head = sampler_bytes(load) + Bytes(pass * load.shape.hidden * kElement);
  return buffers;
}

std::vector<EngineMemoryPart> vllm_runtime(Bytes capacity, const EngineLoad& load) {
  std::vector<EngineMemoryPart> parts;
  parts.push_back({"left free by memory_fraction", capacity * (1 - load.engine.memory_fraction)});
  parts.push_back({"non-torch memory", is_old(load.engine) ? kOldNonTorch : kNonTorch});
  const bool charged = load.engine.cuda_graphs && !is_vllm_before(load.engine.version, 0, 21);
  if (charged) parts.push_back({"CUDA graphs", kGraphs});
  if (load.group > 1) parts.push_back({"NCCL", kMiB * (load.group == 2 ? 342.0 : 392.0)});
  return parts;
}

}  // namespace oblea
