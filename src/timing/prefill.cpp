#include "timing/prefill.hpp"

#include <algorithm>
#include <cmath>

#include "base/check.hpp"
#include "timing/band.hpp"

namespace oblea {
namespace {

using P = TimingParameter;

// The class that holds most of the weights; mixtures carry a few tensors of another.
std::size_t main_class(const ModelWork& work) {
  std::size_t best = 0;
  double most = -1;
  for (std::size_t i = 0; i < kUnpackClassCount; ++i) {
    const double weights = work.trunk[i].weights + work.experts * work.expert[i].weights;
    if (weights > most) {
      most = weights;
      best = i;
    }
  }
  return best;
}

bool uses_int8_tiles(std::size_t weight_class, const DeviceRates& rates, const EngineRun& run) {
  if (weight_class == static_cast<std::size_t>(UnpackClass::float16)) return false;
  if (run.backend == EngineBackend::rocm) return rates.dp4a_only;
  if (run.backend != EngineBackend::cuda) return false;
  return run.generation == EngineGeneration::current || rates.dp4a_only;
}

double cpu_rate(std::size_t weight_class, const DeviceRates& rates, const EngineRun& run, const TimingParameters& p) {
  constexpr std::array<P, kUnpackClassCount> kShare{P::cpu_prefill_float16, P::cpu_prefill_int8,
                                                    P::cpu_prefill_nibble,  P::cpu_prefill_k_quant,
                                                    P::cpu_prefill_k_quant, P::cpu_prefill_k_quant};
  const P share = run.family == EngineFamily::ik_llama_cpp ? P::cpu_prefill_repacked : kShare[weight_class];
  const double threads = run.threads > 0 ? run.threads : rates.cores * run.sockets;
  const double narrow = weight_class == static_cast<std::size_t>(UnpackClass::float16) ? 1.0 : rates.int8_vector;
  const double rate = rates.fp32 * threads / rates.cores * p[share] * narrow;
  return std::min(rate, rates.int8 * threads / rates.cores) /
         (run.sockets > 1 ? std::max(p[P::cpu_prefill_two_sockets], 1.0) : 1.0);
}

double gpu_rate(std::size_t weight_class, const DeviceRates& rates, const EngineRun& run, const TimingParameters& p) {
  const bool quantised = weight_class != static_cast<std::size_t>(UnpackClass::float16);
  const double slower = quantised ? std::max(p[P::prefill_unpack], 1.0) : 1.0;
  if (rates.maker == DeviceMaker::apple) return rates.fp16 * std::min(p[P::prefill_apple], 1.0) / slower;
  if (rates.maker != DeviceMaker::nvidia) {
    if (uses_int8_tiles(weight_class, rates, run)) return rates.int8 * std::min(p[P::prefill_int8], 1.0);
    return rates.fp16 * std::min(p[P::prefill_amd], 1.0) / slower;
  }
  const double half_peak =
      run.backend == EngineBackend::cuda ? rates.int8 / 2 : rates.fp16;  // cuBLAS accumulates in 16 bit
  const double rate = uses_int8_tiles(weight_class, rates, run) ? rates.int8 * std::min(p[P::prefill_int8], 1.0)
                                                                : half_peak * std::min(p[P::prefill_float16], 1.0);
  return rates.tdp > 0 ? 1 / (1 / rate + 1 / (rates.tdp * p[P::prefill_flops_per_joule])) : rate;
}

double attention_seconds(const ModelWork& work, const PrefillCall& call, double micro_batch, const DeviceRates& rates,
                         const EngineRun& run, const TimingParameters& p) {
  double flops = 0;
  double scores = 0;
  for (const AttentionWork& group : work.attention) {
    // With flash attention the upper triangle is skipped; without, a micro-batch computes all of its square.
    double context = call.depth + (run.flash_attention ? call.tokens : call.tokens + micro_batch) / 2;
    if (group.window > 0) context = std::min(context, group.window + micro_batch / 2);
    flops += group.prefill_flops_per_cached_token * context * call.tokens;
    scores += group.scores_per_cached_token * context * call.tokens;
  }
  if (run.backend == EngineBackend::cpu) {
    const double threads = run.threads > 0 ? run.threads : rates.cores * run.sockets;
    const double share = p[run.flash_attention ? P::cpu_prefill_attention_fused : P::cpu_prefill_attention_early];
    return flops / (rates.fp32 * threads / rates.cores * std::min(share, 4.0));
  }
  if (!run.flash_attention) return scores * 4 * p[P::prefill_scores] / rates.bandwidth;
  return rates.maker == DeviceMaker::nvidia ? flops / (rates.int8 / 2 * std::min(p[P::prefill_attention], 1.0))
                                            : flops / (rates.fp16 * std::min(p[P::prefill_attention_other], 1.0));
}

}  // namespace

double prompt_rate(const ModelWork& work, const DeviceRates& rates, const EngineRun& run,
                   const TimingParameters& parameters) {
  const std::size_t weight_class = main_class(work);
  return run.backend == EngineBackend::cpu ? cpu_rate(weight_class, rates, run, parameters)
                                           : gpu_rate(weight_class, rates, run, parameters);
}

Prediction prefill_time(const ModelWork& work, const PrefillCall& call, const DeviceRates& rates, const EngineRun& run,
                        const TimingParameters& p) {
  const bool is_cpu = run.backend == EngineBackend::cpu;
  const double micro_batch = std::min<double>(run.micro_batch, call.tokens);
  const double micro_batches = call.tokens / micro_batch;
  const double rate = prompt_rate(work, rates, run, p);
  const UnpackLoad trunk = total(work.trunk);
  const UnpackLoad expert = total(work.expert);
  const double trunk_weights = trunk.weights - work.head_weights;
  const double trunk_flops = 2 * trunk_weights * call.tokens;
  const double expert_flops = 2 * work.active_experts * expert.weights * call.tokens;
  double expert_factor = std::max(p[is_cpu ? P::cpu_prefill_expert : P::prefill_expert], 1.0);
  if (!is_cpu && work.experts > 0) {
    expert_factor *= 1 + p[P::prefill_expert_tokens] * work.experts / (micro_batch * work.active_experts);
  }
  const double compute = trunk_flops / rate + expert_flops / rate * expert_factor;
  const double touched_bytes =
      trunk.bytes - work.head_bytes + distinct_experts_touched(work, micro_batch) * expert.bytes;

  double weights = micro_batches * touched_bytes / rates.bandwidth;
  double launch = 0;
  if (is_cpu) {
    weights /= std::min(p[P::cpu_share], 1.0);
  } else {
    weights *= std::max(p[P::prefill_weight_passes], 1.0);
    if (run.backend == EngineBackend::vulkan && work.bf16_bytes > 0) weights *= std::max(p[P::bf16_copy], 1.0);
    launch = micro_batches * work.kernels * p[P::prefill_launch];
    const std::size_t weight_class = main_class(work);
    const bool copies = rates.maker == DeviceMaker::nvidia &&
                        weight_class != static_cast<std::size_t>(UnpackClass::float16) &&
                        !uses_int8_tiles(weight_class, rates, run);
    if (copies) weights += micro_batches * 2 * trunk_weights * p[P::prefill_copy] / rates.bandwidth;
  }
  const double attention = attention_seconds(work, call, micro_batch, rates, run, p);
  const double seconds = compute + weights + launch + attention;
  const double sockets = is_cpu ? run.sockets : 1;
  const double floor =
      std::max((trunk_flops + expert_flops) / (rates.int8 * sockets), touched_bytes / (rates.bandwidth * sockets));
  OBLEA_CHECK(seconds >= floor * (1 - 1e-12), "a prompt is never read faster than its bytes or its arithmetic allow");

  TimingLimit limit = TimingLimit::compute;
  if (attention > compute && attention > weights)
    limit = TimingLimit::attention;
  else if (launch > compute && launch > weights)
    limit = TimingLimit::launch_overhead;
  else if (weights > compute)
    limit = TimingLimit::memory_bandwidth;
  return with_band(seconds, floor, limit, PassKind::prefill, rates, p);
}

}  // namespace oblea
