// EngineBuffers: an engine's working memory on one device, as a function of the context it is started for.
#pragma once

#include <limits>
#include <string_view>
#include <vector>

#include "units/quantity.hpp"

namespace oblea {

struct EngineMemoryPart {
  std::string_view name;
  Bytes bytes{};
};

// A pass goes through layers, then (on the device with the head) through the head; the buffer is as large as the larger
// of the two phases. With `copies` > 1 micro-batches overlap, and the inputs of all of them stay through both phases.
//   layers phase   inputs + mask x tokens + max(layers, attention + scores x tokens)
//   head phase     head, and inputs + mask x tokens where copies > 1
// What a kernel unpacks of a quantised cache stays in a pool beside either.
// Example (llama.cpp, Llama 3 8B, micro-batch 512, context 8,192): mask 8 MiB, layers 108 MiB, head 258.5 MiB: 116 MiB
// on a device without the head, 258.5 MiB with it.
struct EngineBuffers {
  int copies = 1;
  Bytes inputs{};          // hidden vectors that enter the device
  BytesPerToken mask;      // a token of context
  Bytes layers{};          // temporaries of the widest layer besides attention over the context
  Bytes attention{};       // those that stand beside the scores
  BytesPerToken scores{};  // of attention without a fused kernel; in vLLM activations of an unchunked prompt
  Bytes head{};            // logits, and what the sampler makes of them
  BytesPerToken unpacked;  // K and V of one layer in 16 bit, from a quantised cache; not of the engine's own report
  Tokens window_mask{};    // tokens of a second mask, over a window
  bool shared = false;     // one mask spans the contexts of all requests
  double requests = 1;     // of these
  Tokens pad{1};           // contexts round up to this
  // Beyond, prompts are read in pieces: neither scores nor head.
  Tokens scores_until{std::numeric_limits<double>::infinity()};

  // What a device that holds the head takes more than one that does not; never less.
  Bytes head_extra(Tokens context) const;
  Bytes at(Tokens context, bool holds_head) const;

  // What one more request takes: its part of a shared mask.
  Bytes per_request(Tokens context) const;

  // The parts of `at`, the phase that rules.
  std::vector<EngineMemoryPart> parts(Tokens context, bool holds_head) const;

  // Where more context may take less memory: just beyond this many tokens. Infinite where it never does.
  Tokens falls_after() const { return scores_until; }
};

}  // namespace oblea
