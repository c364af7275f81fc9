#include "timing/decode.hpp"

#include <algorithm>
#include <cmath>

#include "base/check.hpp"
#include "timing/band.hpp"
#include "timing/prefill.hpp"

namespace oblea {
namespace {

using P = TimingParameter;

constexpr std::array<P, kUnpackClassCount> kUnpackRate{P::unpack_float16, P::unpack_int8,    P::unpack_nibble,
                                                       P::unpack_k_quant, P::unpack_low_bit, P::unpack_codebook};
constexpr std::array<P, kUnpackClassCount> kReadRate{P::cpu_read_float16, P::cpu_read_int8,    P::cpu_read_nibble,
                                                     P::cpu_read_k_quant, P::cpu_read_low_bit, P::cpu_read_codebook};

// What a pass touches, whatever the device.
struct Touched {
  double weight_bytes = 0;
  double kv_bytes = 0;  // with state
  double attention_flops = 0;
  double active_weights = 0;  // multiplied once a sequence
  double experts = 0;         // distinct
};

Touched touched_by(const ModelWork& work, const DecodeCall& call) {
  Touched touched;
  touched.experts = distinct_experts_touched(work, call.batch);
  const UnpackLoad trunk = total(work.trunk);
  const UnpackLoad expert = total(work.expert);
  touched.weight_bytes = trunk.bytes + touched.experts * expert.bytes;
  touched.active_weights = trunk.weights + work.active_experts * expert.weights;
  double kv = 2 * work.state_bytes;
  for (const AttentionWork& group : work.attention) {
    const double tokens = attended(group, call.context);
    kv += tokens * group.kv_bytes_per_token * call.kv_bytes_per_f16;
    touched.attention_flops += tokens * group.flops_per_cached_token;
  }
  touched.kv_bytes = kv * call.batch;
  touched.attention_flops *= call.batch;
  return touched;
}

double launch_seconds(const EngineRun& run, const TimingParameters& p) {
  const bool early = run.generation == EngineGeneration::early;
  switch (run.backend) {
    case EngineBackend::cuda:
      return p[P::launch] * p[early ? P::launch_cuda_early : P::launch_cuda];
    case EngineBackend::metal:
      return p[P::launch] * p[early ? P::launch_metal_early : P::launch_metal];
    case EngineBackend::vulkan:
      return p[P::launch] * p[P::launch_vulkan];
    case EngineBackend::rocm:
      return p[P::launch] * p[P::launch_rocm];
    case EngineBackend::cpu:
      return p[P::cpu_barrier];
  }
  return p[P::launch];
}

double memory_overhead(const DeviceRates& rates, const EngineRun& run, const TimingParameters& p) {
  const P by_class = rates.memory == MemoryClass::hbm       ? P::memory_overhead_hbm
                     : rates.memory == MemoryClass::unified ? P::memory_overhead_unified
                                                            : P::memory_overhead_gddr;
  return p[P::memory_overhead] * p[by_class] * (run.backend == EngineBackend::rocm ? p[P::memory_overhead_rocm] : 1.0);
}

// Weights of a class that one unit unpacks per cycle.
double unpack_rate(std::size_t weight_class, const DeviceRates& rates, const EngineRun& run,
                   const TimingParameters& p) {
  double rate = p[kUnpackRate[weight_class]];
  if (run.backend == EngineBackend::rocm) rate *= p[P::unpack_rocm];
  const bool codebook = weight_class == static_cast<std::size_t>(UnpackClass::codebook);
  if (codebook && run.backend == EngineBackend::rocm) rate *= p[P::unpack_rocm_codebook];
  const bool low_bit = weight_class == static_cast<std::size_t>(UnpackClass::low_bit);
  if (low_bit && rates.maker == DeviceMaker::nvidia && rates.dp4a_only) rate *= p[P::unpack_pascal_low_bit];
  return rate;
}

// Bytes that one thread takes in per vector flop that it could do: how fast it reads scales with its clock and its
// width. ik_llama.cpp repacks weights at load, but not those of low-bit formats.
double bytes_per_flop(std::size_t weight_class, const EngineRun& run, const TimingParameters& p) {
  const bool low_bit = weight_class >= static_cast<std::size_t>(UnpackClass::low_bit);
  const bool repacked = run.family == EngineFamily::ik_llama_cpp && weight_class > 0 && !low_bit;
  return p[repacked ? P::cpu_read_repacked : kReadRate[weight_class]];
}

struct Parts {
  double memory = 0, unpack = 0, compute = 0, weights = 0, launch = 0, attention = 0;
};

Parts gpu_parts(const ModelWork& work, const Touched& touched, const DecodeCall& call, const DeviceRates& rates,
                const EngineRun& run, const TimingParameters& p) {
  Parts parts;
  const double per_byte = (1 + memory_overhead(rates, run, p)) / rates.bandwidth;
  const double copied = run.backend == EngineBackend::vulkan ? work.bf16_bytes * (p[P::bf16_copy] - 1) : 0.0;
  parts.memory = (touched.weight_bytes + std::max(copied, 0.0)) * per_byte;
  double cycles = 0;
  for (std::size_t i = 0; i < kUnpackClassCount; ++i) {
    const double weights = work.trunk[i].weights + touched.experts * work.expert[i].weights;
    if (weights > 0) cycles += weights / unpack_rate(i, rates, run, p);
  }
  parts.unpack = cycles / rates.unit_cycles;
  if (call.batch > 1) parts.compute = 2 * touched.active_weights * call.batch / prompt_rate(work, rates, run, p);
  const double power = p[P::blend];
  double sum = std::pow(parts.memory, power) + std::pow(parts.unpack, power);
  if (parts.compute > 0) sum += std::pow(parts.compute, power);
  parts.weights = std::pow(sum, 1 / power);
  const double flops_per_cycle = p[run.flash_attention ? P::attention_fused : P::attention_early];
  parts.attention = touched.kv_bytes * per_byte + touched.attention_flops / (rates.unit_cycles * flops_per_cycle);
  parts.launch = work.kernels * launch_seconds(run, p);
  return parts;
}

Parts cpu_parts(const ModelWork& work, const Touched& touched, const DecodeCall& call, const DeviceRates& rates,
                const EngineRun& run, const TimingParameters& p) {
  Parts parts;
  const double threads = run.threads > 0 ? run.threads : rates.cores * run.sockets;
  const double vector_rate = rates.fp32 * threads / rates.cores;
  const bool distributed = run.family == EngineFamily::distributed_llama;
  double bandwidth = rates.bandwidth * std::min(p[distributed ? P::cpu_share_distributed : P::cpu_share], 1.0);
  if (run.sockets > 1) bandwidth *= std::min(p[P::cpu_two_sockets], 1.0);
  parts.memory = touched.weight_bytes / bandwidth;
  if (distributed) {
    parts.unpack = touched.active_weights / (vector_rate * p[P::cpu_distributed_flops]);
  } else {
    for (std::size_t i = 0; i < kUnpackClassCount; ++i) {
      const double bytes = work.trunk[i].bytes + touched.experts * work.expert[i].bytes;
      if (bytes <= 0) continue;
      parts.unpack += bytes / (bytes_per_flop(i, run, p) * vector_rate * (i > 0 ? rates.int8_vector : 1.0));
    }
  }
  if (call.batch > 1) parts.compute = 2 * touched.active_weights * call.batch / prompt_rate(work, rates, run, p);
  constexpr double kPower = 4;  // threads either wait for memory or do not: close to the longer of the two
  parts.weights = std::pow(
      std::pow(parts.memory, kPower) + std::pow(parts.unpack, kPower) + std::pow(parts.compute, kPower), 1 / kPower);
  const double share = p[run.flash_attention ? P::cpu_attention_fused : P::cpu_attention_early];
  parts.attention = touched.kv_bytes / bandwidth + touched.attention_flops / (vector_rate * share);
  parts.launch =
      work.kernels * launch_seconds(run, p) * (run.sockets > 1 ? 2 : 1);  // a barrier across sockets costs twice
  return parts;
}

TimingLimit limit_of(const Parts& parts) {
  if (parts.launch > parts.weights && parts.launch > parts.attention) return TimingLimit::launch_overhead;
  if (parts.attention > parts.weights) return TimingLimit::attention;
  if (parts.compute > std::max(parts.memory, parts.unpack)) return TimingLimit::compute;
  return parts.memory >= parts.unpack ? TimingLimit::memory_bandwidth : TimingLimit::unpacking;
}

}  // namespace

Prediction decode_step_time(const ModelWork& work, const DecodeCall& call, const DeviceRates& rates,
                            const EngineRun& run, const TimingParameters& parameters) {
  const Touched touched = touched_by(work, call);
  const bool is_cpu = run.backend == EngineBackend::cpu;
  const Parts parts = is_cpu ? cpu_parts(work, touched, call, rates, run, parameters)
                             : gpu_parts(work, touched, call, rates, run, parameters);
  const double seconds = parts.weights + parts.launch + parts.attention;
  const double floor =
      std::max((touched.weight_bytes + touched.kv_bytes) / rates.bandwidth / (is_cpu ? run.sockets : 1),
               2 * touched.active_weights * call.batch / rates.int8 / (is_cpu ? run.sockets : 1));
  OBLEA_CHECK(seconds >= floor * (1 - 1e-12), "a decode step is never faster than its bytes or its arithmetic allow");
  return with_band(seconds, floor, limit_of(parts), PassKind::decode, rates, parameters);
}

}  // namespace oblea
