#include "timing/timing_parameters.hpp"

namespace oblea {

const std::array<TimingParameterInfo, kTimingParameterCount>& all_timing_parameters() {
  static constexpr std::array<TimingParameterInfo, kTimingParameterCount> kParameters{{
      {"memory_overhead", 0.12, 0.7,
       "time beyond bytes / peak bandwidth when memory alone sets the pace, as a share of it"},
      {"memory_overhead_gddr", 1, 0.5, "factor on memory_overhead for GDDR"},
      {"memory_overhead_hbm", 1, 0.5, "factor on memory_overhead for HBM"},
      {"memory_overhead_unified", 1.7, 0.5, "factor on memory_overhead for memory shared with a CPU"},
      {"memory_overhead_rocm", 1, 0.3, "factor on memory_overhead under ROCm"},
      {"unpack_float16", 6, 1, "16-bit weights that a compute unit takes in per cycle"},
      {"unpack_int8", 12, 1, "8-bit weights that a compute unit unpacks per cycle"},
      {"unpack_nibble", 8, 1, "weights of Q4_0, Q4_1, Q5_0, Q5_1, MXFP4 per unit and cycle"},
      {"unpack_k_quant", 8, 1, "weights of Q3_K to Q6_K and IQ4 per unit and cycle"},
      {"unpack_low_bit", 8, 0.5, "weights of Q2_K per unit and cycle"},
      {"unpack_codebook", 8, 0.5, "weights of IQ1 to IQ3, which are looked up in a table, per unit and cycle"},
      {"unpack_rocm", 0.6, 0.3, "factor on all of these under ROCm, whose kernels are CUDA's on half the lanes a unit"},
      {"unpack_rocm_codebook", 0.6, 0.3, "further factor for IQ1 to IQ3 under ROCm, which has no bytewise sign flip"},
      {"unpack_pascal_low_bit", 0.5, 0.3,
       "factor for Q2_K on Pascal, which multiplies integers in several instructions"},
      {"blend", 3, 0.3, "exponent that joins memory and unpacking time: 1 adds them, large takes the longer"},
      {"launch", 2e-6, 1, "seconds a kernel costs beyond its work"},
      {"launch_cuda_early", 1, 0.5, "factor on launch for CUDA before graphs"},
      {"launch_cuda", 1, 0.5, "factor on launch for CUDA with graphs"},
      {"launch_metal_early", 1, 0.5, "factor on launch for Metal before kernels ran side by side"},
      {"launch_metal", 1, 0.5, "factor on launch for Metal"},
      {"launch_vulkan", 1, 0.5, "factor on launch for Vulkan"},
      {"launch_rocm", 1, 0.5, "factor on launch for ROCm"},
      {"attention_early", 6, 1, "attention flops per unit and cycle without flash attention"},
      {"attention_fused", 60, 1, "attention flops per unit and cycle with flash attention"},
      {"bf16_copy", 3, 0.3, "passes over BF16 weights on Vulkan, which converts them before use"},
      {"cpu_share", 0.75, 0.1, "share of a socket's peak bandwidth that llama.cpp reaches"},
      {"cpu_share_distributed", 0.6, 0.2, "the same for distributed-llama"},
      {"cpu_two_sockets", 0.7, 0.3, "share of one socket's bandwidth left when threads span two sockets"},
      {"cpu_read_float16", 0.25, 0.2, "bytes of 16-bit weights that a thread takes in per vector flop it could do"},
      {"cpu_read_int8", 0.2, 0.2, "the same for Q8_0"},
      {"cpu_read_nibble", 0.17, 0.2, "the same for Q4_0 and its like"},
      {"cpu_read_k_quant", 0.14, 0.2, "the same for Q3_K to Q6_K and IQ4"},
      {"cpu_read_repacked", 0.19, 0.2, "the same for these quantised formats in ik_llama.cpp"},
      {"cpu_read_low_bit", 0.12, 0.3, "the same for Q2_K"},
      {"cpu_read_codebook", 0.05, 0.3, "the same for IQ1 to IQ3"},
      {"cpu_distributed_flops", 0.1, 0.7, "weights that distributed-llama multiplies per vector flop of the CPU"},
      {"cpu_barrier", 10e-6, 0.7, "seconds that threads spend joining after a kernel, one socket"},
      {"cpu_attention_early", 0.25, 0.7, "attention flops per vector flop without flash attention"},
      {"cpu_attention_fused", 0.5, 0.7, "attention flops per vector flop with flash attention"},
      {"prefill_int8", 0.25, 0.5, "share of the int8 peak that prompts reach on quantised weights (CUDA)"},
      {"prefill_float16", 0.5, 0.5, "share of the 16-bit peak (half the int8 peak) that prompts reach on cuBLAS"},
      {"prefill_apple", 0.6, 0.4, "share of the vector peak that prompts reach on Metal"},
      {"prefill_amd", 0.4, 0.4, "share of the 16-bit peak that prompts reach on AMD"},
      {"prefill_unpack", 1, 0.3, "time factor for quantised weights on Metal and AMD"},
      {"prefill_flops_per_joule", 0.5e12, 0.7, "flops that a joule of the board's power budget pays for"},
      {"prefill_copy", 1.5, 0.7, "16-bit copies of the weights moved when early CUDA unpacks them first"},
      {"prefill_weight_passes", 2, 0.5, "passes over the weights that a micro-batch costs besides its arithmetic"},
      {"prefill_launch", 3e-6, 0.7, "seconds a kernel costs beyond its work"},
      {"prefill_expert", 2, 0.5, "time factor of routed experts"},
      {"prefill_expert_tokens", 16, 0.7, "tokens an expert needs to reach half its rate"},
      {"prefill_attention", 0.4, 0.4, "share of the 16-bit peak that fused attention reaches (NVIDIA)"},
      {"prefill_attention_other", 0.1, 0.6, "the same on other makers' GPUs"},
      {"prefill_scores", 5, 0.6, "passes over the 32-bit score matrix without flash attention"},
      {"cpu_prefill_float16", 0.47, 0.4, "flops per vector flop of the CPU, 16-bit weights"},
      {"cpu_prefill_int8", 0.87, 0.4, "the same for Q8_0"},
      {"cpu_prefill_nibble", 1.2, 0.4, "the same for Q4_0 and its like, repacked at load"},
      {"cpu_prefill_k_quant", 0.52, 0.4, "the same for K-quants and IQ4"},
      {"cpu_prefill_repacked", 1.5, 0.4, "the same for ik_llama.cpp"},
      {"cpu_prefill_expert", 1.5, 0.5, "time factor of routed experts"},
      {"cpu_prefill_two_sockets", 2, 0.7, "time factor when threads span two sockets"},
      {"cpu_prefill_attention_early", 0.15, 0.7, "attention flops per vector flop without flash attention"},
      {"cpu_prefill_attention_fused", 0.5, 0.7, "attention flops per vector flop with flash attention"},
  }};
  return kParameters;
}

TimingParameters prior_timing_parameters() {
  TimingParameters parameters;
  const auto& table = all_timing_parameters();
  for (std::size_t i = 0; i < table.size(); ++i) parameters.values[i] = table[i].prior;
  parameters.provenance = "priors, nothing fitted";
  return parameters;
}

}  // namespace oblea
