// Decode: how long one device takes to produce the next token of every sequence in a batch.
#pragma once

#include "timing/device_rates.hpp"
#include "timing/engine_run.hpp"
#include "timing/model_work.hpp"
#include "timing/prediction.hpp"
#include "timing/timing_parameters.hpp"

namespace oblea {

struct DecodeCall {
  double batch = 1;             // sequences
  double context = 0;           // tokens in the cache, of each
  double kv_bytes_per_f16 = 1;  // bytes of a KV element over those of f16: q8_0 0.53
};

// time = blend(bytes / bandwidth x (1 + overhead), weights / (unit cycles x weights per cycle), 2 weights batch /
// prompt rate)
//      + kernels x launch + KV bytes / (bandwidth x share) + attention flops / (unit cycles x flops per cycle)
// with blend(a, b, c) = (a^p + b^p + c^p)^(1/p). On a CPU: bytes over the lesser of the socket's and the threads' rate,
// plus a barrier a kernel. Never below bytes / bandwidth nor 2 weights batch / int8 peak: a check that stays on.
Prediction decode_step_time(const ModelWork& work, const DecodeCall& call, const DeviceRates& rates,
                            const EngineRun& run, const TimingParameters& parameters);

}  // namespace oblea
