// Footprint: what one layer of a model in one mixture holds, reads and computes. Placement and timing see only this.
#pragma once

#include <cstdint>
#include <vector>

#include "llm/mixture.hpp"
#include "llm/model_spec.hpp"
#include "llm/shape.hpp"
#include "llm/tensor_format.hpp"
#include "units/quantity.hpp"

namespace oblea {

struct LayerFootprint {
  AttentionKind attention = AttentionKind::full;
  Bytes weights{};          // resident: trunk and every routed expert
  Bytes expert_weights{};   // of these, routed experts
  FormatBytes trunk_read;   // read for every pass: attention, norms, router, shared experts, dense MLP
  FormatBytes expert_read;  // one routed expert
  int experts = 0;
  int active_experts = 0;
  BytesPerToken kv_per_token{};     // a token in the cache; 0 for linear and ssm
  BytesPerToken index_per_token{};  // of these, keys of a sparse attention's indexer, which reads all of them
  std::int64_t window = 0;          // tokens kept at most; 0: all
  std::int64_t attended = 0;        // sparse attention: tokens that a token reads at most; 0: all that are kept
  Bytes state_per_request{};        // recurrent state in fp32, tail of a short convolution, window of `compressed`
  Flops flops_per_token{};          // matrix multiplications with active weights: 2 x active parameters
  Flops flops_per_cached_token{};   // attention in decode: per token computed and token in its context; MLA absorbed
  Flops prefill_flops_per_cached_token{};  // the same in prefill, where MLA expands K and V; equal for other kinds
  Flops index_flops_per_cached_token{};    // scores of a sparse attention's indexer, over the whole context
  int kernels = 0;                         // launches of an unfused implementation, for overhead
  int heads = 0;
  int kv_heads = 0;
  double widest_matrix_rows = 0;  // rows of the largest weight matrix; small ones cannot fill a GPU
};

struct ModelFootprint {
  std::vector<LayerFootprint> layers;
  Bytes embedding{};      // on the first stage
  Bytes head{};           // on the last stage; for a tied model a copy if the stages differ
  FormatBytes head_read;  // read for every pass
  bool tied_embeddings = false;
  Bytes extra{};  // vision tower and the like, on the first stage
  Flops head_flops_per_token{};
  std::int64_t hidden = 0;
  std::int64_t vocabulary = 0;
  ModelShape shape;            // widths that an engine's working buffers follow
  double boundary_factor = 1;  // of hidden x 2 bytes, crossing a stage boundary per token

  Bytes weights() const;  // everything resident, once (a tied head is not counted twice)
};

ModelFootprint make_footprint(const ModelSpec& model, const Mixture& mixture, KvFormats kv = {});

// KV of one request of `context` tokens in one layer, in whole tokens, window respected.
Bytes kv_bytes(const LayerFootprint& layer, Tokens context);

// Over all layers, with state.
Bytes request_bytes(const ModelFootprint& model, Tokens context);

// Distinct routed experts that `tokens` tokens touch: E (1 - (1 - k/E)^tokens), routing taken as uniform.
// Example: E 128, k 8, 2 tokens: 15.5.
double distinct_experts(int experts, int active_experts, double tokens);

// What a decode pass of `batch` sequences reads of this layer's weights.
FormatBytes weight_read(const LayerFootprint& layer, double batch);

}  // namespace oblea
