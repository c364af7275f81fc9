// LayerLoads: what each layer puts into memory and reads per pass at an asked context and concurrency, as prefix sums.
#pragma once

#include <span>
#include <vector>

#include "llm/footprint.hpp"
#include "placement/engine_buffers.hpp"
#include "units/quantity.hpp"

namespace oblea {

// How an engine keeps KV. A sliding layer holds min(context, window + window_extra) tokens of a request, both rounded
// up to whole blocks.
struct CacheRules {
  bool respects_windows = true;  // false: a sliding layer keeps the whole context (some engines do)
  bool one_page_size = false;    // layers of different width: none respects a window, each takes the widest one's page
  bool embedding_on_host = false;  // the token embedding is not on any device of the split
  Tokens window_extra{};           // llama.cpp: one micro-batch
  Tokens block{1};                 // tokens (vLLM: 16, llama.cpp: 256)
};

struct CacheDemand {
  Tokens context{};        // a request, prompt and answer
  double concurrency = 1;  // requests resident at once
  CacheRules rules;
  EngineBuffers buffers{};  // the engine's own on each device; `usable` leaves out those of a device without the head
};

// Prefix sums over layers: the sum over layers [begin, end) is sum[end] - sum[begin]. The embedding (and a vision
// tower) counts with the first layer, the head and what the engine keeps more beside it with the last. A layer's bytes
// are rounded up to whole ones: sums below 2^53 are exact.
class LayerLoads {
 public:
  LayerLoads(const ModelFootprint& model, const CacheDemand& demand);

  int layer_count() const { return static_cast<int>(memory_.size()) - 1; }
  const CacheDemand& demand() const { return demand_; }

  std::span<const double> memory() const { return memory_; }  // bytes: weights, KV and state at the demand
  std::span<const double> read() const { return read_; }      // bytes of one decode pass: weights touched, KV, state

  // The engine's buffers on a device that holds these layers.
  Bytes buffers(int end, Tokens context) const { return demand_.buffers.at(context, end == layer_count()); }
  Bytes head_extra() const { return demand_.buffers.head_extra(demand_.context); }
  Bytes embedding_on_host() const { return embedding_on_host_; }

  // Saved when one stage holds every layer: a tied head is the embedding itself, not a copy.
  double tied_copy() const { return tied_copy_; }

  Bytes weights(int begin, int end) const;
  Bytes state(int begin, int end) const;                 // of one request
  Bytes kv(int begin, int end, Tokens context) const;    // of one request
  BytesPerToken kv_per_token(int begin, int end) const;  // at the demand: windows already full do not grow

 private:
  // Layers that hold at most this many tokens; infinite where they hold all.
  struct KvGroup {
    double tokens_max;
    std::vector<double> bytes_per_token;  // prefix sums
  };

  KvGroup& group_of(double tokens_max);
  double tokens_held(Tokens context) const;  // rounded up to blocks

  CacheDemand demand_;
  std::vector<double> memory_;
  std::vector<double> read_;
  std::vector<double> weights_;
  std::vector<double> state_;
  std::vector<KvGroup> kv_groups_;
  double tied_copy_ = 0;
  Bytes embedding_on_host_;
};

}  // namespace oblea
