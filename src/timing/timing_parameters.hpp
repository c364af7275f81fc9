// TimingParameters: the few numbers that the datasheet does not hold, fitted to public measurements by `oblea
// calibrate`.
#pragma once

#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "timing/device_family.hpp"

namespace oblea {

enum class TimingParameter : unsigned char {
  memory_overhead,
  memory_overhead_gddr,
  memory_overhead_hbm,
  memory_overhead_unified,
  memory_overhead_rocm,
  unpack_float16,
  unpack_int8,
  unpack_nibble,
  unpack_k_quant,
  unpack_low_bit,
  unpack_codebook,
  unpack_rocm,
  unpack_rocm_codebook,
  unpack_pascal_low_bit,
  blend,
  launch,
  launch_cuda_early,
  launch_cuda,
  launch_metal_early,
  launch_metal,
  launch_vulkan,
  launch_rocm,
  attention_early,
  attention_fused,
  bf16_copy,
  cpu_share,
  cpu_share_distributed,
  cpu_two_sockets,
  cpu_read_float16,
  cpu_read_int8,
  cpu_read_nibble,
  cpu_read_k_quant,
  cpu_read_repacked,
  cpu_read_low_bit,
  cpu_read_codebook,
  cpu_distributed_flops,
  cpu_barrier,
  cpu_attention_early,
  cpu_attention_fused,
  prefill_int8,
  prefill_float16,
  prefill_apple,
  prefill_amd,
  prefill_unpack,
  prefill_flops_per_joule,
  prefill_copy,
  prefill_weight_passes,
  prefill_launch,
  prefill_expert,
  prefill_expert_tokens,
  prefill_attention,
  prefill_attention_other,
  prefill_scores,
  cpu_prefill_float16,
  cpu_prefill_int8,
  cpu_prefill_nibble,
  cpu_prefill_k_quant,
  cpu_prefill_repacked,
  cpu_prefill_expert,
  cpu_prefill_two_sockets,
  cpu_prefill_attention_early,
  cpu_prefill_attention_fused
};

inline constexpr int kDecodeParameterCount = 39;
inline constexpr int kTimingParameterCount = 62;

// One record a parameter: from it come the fit, the file, and the table in README.md.
struct TimingParameterInfo {
  std::string_view name;  // key in the parameter file
  double prior;           // where the fit starts, and stays without evidence
  double spread;          // standard deviation of log(value / prior)
  std::string_view words;
};

const std::array<TimingParameterInfo, kTimingParameterCount>& all_timing_parameters();

// Log errors of predictions for devices that the fit had not seen: low and high quantile of log(predicted / measured
// time).
struct ErrorBand {
  double low = -0.7;
  double high = 0.7;
};

enum class PassKind { decode, prefill };
inline constexpr int kPassKindCount = 2;
enum class BandClass { gpu, unified, cpu };
inline constexpr int kBandCount = 6;  // two kinds of pass, three classes

struct TimingParameters {
  std::array<double, kTimingParameterCount> values{};
  std::array<ErrorBand, kBandCount> bands{};
  std::array<FamilySet, kPassKindCount> families{};              // of which the fit saw rows, by kind of pass
  std::array<double, kPassKindCount> unseen_widening{1.0, 1.0};  // of the band of any other family
  std::string date;                                              // of the fit
  std::string provenance;                                        // rows, sources

  double operator[](TimingParameter parameter) const { return values[static_cast<std::size_t>(parameter)]; }
  double& operator[](TimingParameter parameter) { return values[static_cast<std::size_t>(parameter)]; }
  const ErrorBand& band(PassKind kind, BandClass device) const {
    return bands[static_cast<std::size_t>(kind) * 3 + static_cast<std::size_t>(device)];
  }
  ErrorBand& band(PassKind kind, BandClass device) {
    return bands[static_cast<std::size_t>(kind) * 3 + static_cast<std::size_t>(device)];
  }
};

// Every parameter at its prior.
TimingParameters prior_timing_parameters();

}  // namespace oblea
