// A card, a model and round parameters that the timing tests and the README of src/timing compute by hand.
#pragma once

#include "timing/decode.hpp"
#include "timing/prefill.hpp"

namespace oblea {

// RTX 3090 by its datasheet.
inline Device card_3090() {
  Device device;
  device.id = "rtx-3090";
  device.vendor = "nvidia";
  device.architecture = "ampere";
  device.memory_type = "GDDR6X";
  const Source sheet{"test", "2026", Confidence::datasheet};
  device.memory_bandwidth = {BytesPerSecond(936.2e9), sheet};
  device.fp32 = Sourced<FlopsPerSecond>{FlopsPerSecond(35.58e12), sheet};
  device.fp16_tensor = Sourced<FlopsPerSecond>{FlopsPerSecond(71.2e12), sheet};
  device.int8 = Sourced<FlopsPerSecond>{FlopsPerSecond(284.7e12), sheet};
  device.tdp = {Watts(350), sheet};
  return device;
}

// Llama 3 8B in Q4_K_M, all of it K-quants: 4.62 GB, 7.505e9 weights, of which the head 0.525e9 in 0.431 GB.
inline ModelWork llama_8b() {
  ModelWork work;
  work.trunk[static_cast<std::size_t>(UnpackClass::k_quant)] = {4.62e9, 7.505e9};
  work.head_weights = 0.525e9;
  work.head_bytes = 0.431e9;
  work.kernels = 546;
  work.attention = {{131072, 524288, 524288, 1024, 0}};
  return work;
}

inline TimingParameters round_parameters() {
  using P = TimingParameter;
  TimingParameters p = prior_timing_parameters();
  p[P::memory_overhead] = 0.1;
  p[P::unpack_k_quant] = 10;
  p[P::blend] = 4;
  p[P::launch] = 4e-6;
  p[P::attention_early] = 10;
  p[P::prefill_int8] = 0.25;
  p[P::prefill_flops_per_joule] = 1e12;
  p[P::prefill_weight_passes] = 1.5;
  p[P::prefill_launch] = 5e-6;
  p[P::prefill_attention] = 0.25;
  for (ErrorBand& band : p.bands) band = {-0.2, 0.1};
  return p;
}

inline EngineRun early_cuda() {
  EngineRun run;
  run.generation = EngineGeneration::early;
  run.flash_attention = false;
  return run;
}

}  // namespace oblea
