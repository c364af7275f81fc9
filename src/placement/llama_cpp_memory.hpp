// Llama.cpp memory: the buffers that llama.cpp reserves on a device for its graph, and on the host beside it.
#pragma once

#include "placement/engine_buffers.hpp"
#include "placement/engine_load.hpp"

namespace oblea {

// What `CUDA0 compute buffer size` prints. With T tokens a micro-batch (-ub), fp32 temporaries and e, q, f, v = T x 4 B
// x widths of hidden, queries, feed-forward and V:
//   layers     3 f + 2 e + q: gate, up, their product, residual, input, queries. Experts: 3 g, and the experts' outputs
//              where they are wider than g, g being T x 4 B x active experts x width. MLA: q + 4 e + T x 4 B x heads x
//              (2 x kv_lora + rope). The widest layer counts
//   mask       T x 2 B a token of context with flash attention, T x 4 B without; a second one over window + T tokens
//   scores     without flash attention: heads x T x 4 B a token, beside 2 e + 2 q, and 2 v of indices among the inputs
//   logits     outputs x (vocabulary x 4 B) + e, 3 e beside recurrent layers; outputs are T, or the slots of
//   llama-server since build 9500 pipeline   over several cards of one node micro-batches overlap: inputs (e on the
//   first card, 2 e on others), masks
//              and indices four times
// Contexts round up to 256. Derived from llama.cpp's own reservation of 17 architectures at 1 to 4 devices (release
// 0.5.0, October 2026, run with a device that allocates nothing): exact for dense and expert models, up to 3 % or 20
// MiB high for recurrent hybrids and MLA. Logs of 2024 and 2025 lie within 5 MiB.
// Example (Llama 3 8B, T 512, 8,192 tokens): e = q = 8, f = 28 MiB: layers 108, mask 8, logits 250.5 + 8 = 258.5 MiB.
EngineBuffers llama_cpp_buffers(const EngineLoad& load);

// `CUDA_Host compute buffer size`: 2 e, and masks and indices once for each overlapping micro-batch.
// Example (the same): 2 x 8 + 8 = 24 MiB.
Bytes llama_cpp_host_buffer(const EngineLoad& load, Tokens context);

// Where attention over a quantised cache first unpacks it to 16 bit (prefill on CUDA): K and V of one layer.
// Example (70B, 8 KV heads of 128, 32,768 tokens): 2 x 1,024 x 2 B x 32,768 = 128 MiB.
BytesPerToken unpacked_cache(const EngineLoad& load);

}  // namespace oblea
