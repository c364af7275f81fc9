// EngineLoad: everything that an engine's memory depends on besides the device it lies on.
#pragma once

#include "llm/mixture.hpp"
#include "llm/shape.hpp"
#include "placement/companions.hpp"
#include "placement/engine_settings.hpp"
#include "units/quantity.hpp"

namespace oblea {

struct EngineLoad {
  EngineSettings engine;
  ModelShape shape;
  KvFormats cache;
  Companions companions{};  // on the first device
  Bytes embedding{};        // of the tokens; an engine may keep it in host memory
  double requests = 1;      // resident at once
  int group = 1;            // devices that share every layer (tensor parallel)
  bool unified = false;     // host and device share their memory
  int pipeline = 1;         // devices of one node that layers are split over; micro-batches overlap on them
};

// Tokens of one prefill pass. Sources: llama.cpp -ub 512; vLLM max_num_batched_tokens 2048 (0.8 and later; before, 512
// with chunked prefill and max_model_len without).
int micro_batch_of(const EngineSettings& engine);

}  // namespace oblea
