// Prefill: how long one device takes to read a prompt.
#pragma once

#include "timing/device_rates.hpp"
#include "timing/engine_run.hpp"
#include "timing/model_work.hpp"
#include "timing/prediction.hpp"
#include "timing/timing_parameters.hpp"

namespace oblea {

struct PrefillCall {
  double tokens = 512;  // of the prompt
  double depth = 0;     // tokens already in the cache
};

// time = 2 weights tokens / rate + attention + micro-batches x (weight bytes x passes / bandwidth + kernels x launch)
// Routed experts run slower by a factor and by (1 + half-rate tokens / tokens an expert gets). Attention is flops over
// a share of the 16-bit peak with flash attention, else passes over the score matrix in memory.
Prediction prefill_time(const ModelWork& work, const PrefillCall& call, const DeviceRates& rates, const EngineRun& run,
                        const TimingParameters& parameters);

// Flops a second that matrix multiplications of a long prompt reach.
double prompt_rate(const ModelWork& work, const DeviceRates& rates, const EngineRun& run,
                   const TimingParameters& parameters);

}  // namespace oblea
