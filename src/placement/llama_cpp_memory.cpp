#include "placement/llama_cpp_memory.hpp"

#include <algorithm>
#include <cmath>

#include "placement/engine_version.hpp"

namespace oblea {
namespace {

constexpr double kFp32 = 4;
constexpr double kIndex = 8;          // one row number in 64 bits
constexpr int kOverlapping = 4;       // GGML_SCHED_MAX_COPIES
constexpr int kFewLogitsFrom = 9500;  // llama.cpp pull request 23861, June 2026
constexpr Tokens kPad{256};

struct Widths {
  double tokens;
  Bytes of(double width) const { return Bytes(tokens * width * kFp32); }
};

// The widest of attention, dense MLP and experts.
Bytes layer_temporaries(const ModelShape& shape, const Widths& w) {
  const Bytes around = w.of(shape.hidden) * 2.0 + w.of(shape.query);
  const Bytes dense = around + w.of(shape.feed_forward) * 3.0;
  const double outputs = shape.expert_output > shape.expert ? shape.expert_output : 0;
  const Bytes experts = around + w.of(shape.expert) * 3.0 + w.of(outputs);
  const Bytes latent = w.of(shape.query) + w.of(shape.hidden) * 4.0 + w.of(shape.latent);
  return std::max({dense, shape.expert > 0 ? experts : Bytes(0), shape.latent > 0 ? latent : Bytes(0)});
}

double window_tokens(const ModelShape& shape, double tokens) {
  return shape.window > 0 ? std::ceil((shape.window + tokens) / kPad.value()) * kPad.value() : 0;
}

double outputs_of(const EngineLoad& load, double tokens) {
  const bool all = load.engine.all_logits || is_llama_cpp_before(load.engine.version, kFewLogitsFrom);
  return all ? tokens : std::min(tokens, std::max(1.0, load.requests));
}

// Where V lies transposed (no flash attention), one index an element that is written, for each kind of cache.
Bytes index_bytes(const ModelShape& shape, double tokens) {
  if (shape.latent > 0) return Bytes(0);
  const int caches = (shape.keeps_context ? 1 : 0) + (shape.window > 0 ? 1 : 0);
  return Bytes(tokens * shape.value * kIndex * caches);
}

int copies_of(const EngineLoad& load) { return load.pipeline > 1 && !load.engine.row_split ? kOverlapping : 1; }

}  // namespace

EngineBuffers llama_cpp_buffers(const EngineLoad& load) {
  const ModelShape& shape = load.shape;
  const Widths w{double(micro_batch_of(load.engine))};
  const bool fused = load.engine.flash_attention;
  EngineBuffers buffers;
  buffers.copies = copies_of(load);
  const double copies = buffers.copies;
  if (copies > 1) buffers.inputs = w.of(shape.hidden) * (2 * copies);
  if (!fused) buffers.inputs += index_bytes(shape, w.tokens) * copies;
  buffers.mask = BytesPerToken(w.tokens * (fused ? 2 : 4) * copies);
  buffers.window_mask = Tokens(load.engine.whole_windows ? 0 : window_tokens(shape, w.tokens));
  buffers.layers = layer_temporaries(shape, w);
  if (!fused) {
    buffers.scores =
        BytesPerToken(std::max(shape.heads, load.engine.whole_windows ? shape.window_heads : 0.0) * w.tokens * kFp32);
    buffers.attention = shape.latent > 0 ? buffers.layers : w.of(shape.hidden) * 2.0 + w.of(shape.query) * 2.0;
  }
  buffers.head = Bytes(outputs_of(load, w.tokens) * shape.vocabulary * kFp32) + w.of(shape.hidden);
  if (shape.has_recurrent_layers) buffers.head += w.of(shape.hidden) * 2.0;
  buffers.unpacked = unpacked_cache(load);
  buffers.shared = load.engine.shared_cache;
  buffers.requests = load.requests;
  buffers.pad = kPad;
  return buffers;
}

Bytes llama_cpp_host_buffer(const EngineLoad& load, Tokens context) {
  const Widths w{double(micro_batch_of(load.engine))};
  EngineLoad one = load;
  const int copies = copies_of(load);
  one.pipeline = 1;
  const EngineBuffers buffers = llama_cpp_buffers(one);
  const double padded = std::ceil(context.value() / kPad.value()) * kPad.value();
  const double spanned = padded * (buffers.shared ? std::max(1.0, buffers.requests) : 1.0);
  const Bytes mask = buffers.mask * (Tokens(spanned) + buffers.window_mask);
  return w.of(load.shape.hidden) * 2.0 + (mask + buffers.inputs) * double(copies);
}

BytesPerToken unpacked_cache(const EngineLoad& load) {
  if (!load.engine.flash_attention || load.shape.latent > 0) return BytesPerToken(0);
  const int parts = (is_quantised(load.cache.k) ? 1 : 0) + (is_quantised(load.cache.v) ? 1 : 0);
  return BytesPerToken(parts * load.shape.value * 2);
}

}  // namespace oblea
