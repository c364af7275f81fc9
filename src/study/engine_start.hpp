// EngineStart: what an engine does before its first request besides moving weights.
#pragma once

#include "placement/engine_settings.hpp"
#include "units/banded.hpp"
#include "units/quantity.hpp"

namespace oblea {

// Starting programs, contexts of the cards, compiling, capturing graphs. Estimates from public logs:
// llama.cpp 1 s (0.3 to 5): a 1.1B model loads and is ready in 0.6 s (ggml-org/llama.cpp issue 9820).
// vLLM 60 s (40 to 230): 59 s until the first answer of a 1B, 34 of them tracing, compiling from a cache and capturing
// graphs (vllm-project/vllm issue 20264); 205 s for a 70B over eight cards (issue 19824); with --enforce-eager 30 s (15
// to 60): 25 s outside the engine, no compiling, no graphs. Others 10 s (1 to 60). The boot of the box is not counted.
Banded<Seconds> engine_start(const EngineSettings& engine);

}  // namespace oblea
