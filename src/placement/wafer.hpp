// Wafer: layers on chips of fixed SRAM. Weights stay where they are, so what a wafer has left bounds requests and
// context.
#pragma once

#include <string_view>
#include <vector>

#include "llm/footprint.hpp"
#include "placement/placement.hpp"

namespace oblea {

// Which layers may share a wafer. A full-attention layer is one whose KV grows with the context (full, latent).
enum class WaferRule {
  full_attention_alone,  // in pipeline order, a full-attention layer has a wafer to itself
  two_everywhere,        // in pipeline order, any neighbours
  any_order              // full-attention layers alone, the others together out of order: a token goes back and forth
};

std::string_view wafer_rule_name(WaferRule rule);

struct WaferRules {
  WaferRule rule = WaferRule::full_attention_alone;
  int layers_per_wafer_max = 2;  // 0: as many as fit
};

struct Wafer {
  std::vector<int> layers;
  Bytes weights{};
  Bytes free{};                  // SRAM less weights
  Bytes state_per_request{};     // linear and ssm layers; full windows of sliding layers
  BytesPerToken kv_per_token{};  // 0: holds no full-attention layer
};

// Embedding and head are not in the wafers' weights: they are this remainder.
struct VocabularyPlace {
  Bytes embedding{};
  Bytes head{};
  bool embedding_on_first = false;  // the first wafer has room beside the requests asked for
  bool head_on_last = false;
  int extra_wafers = 0;           // what does not: one wafer that closes the ring takes both, or two
  Tokens tokens_without_extra{};  // a request's tokens if first and last wafer must take them
};

struct WaferPlan {
  WaferRules rules;
  Bytes sram{};
  std::vector<Wafer> wafers;  // in pipeline order of their first layer
  double requests_max = 0;    // that every wafer's state allows, whatever the context
  Tokens kv_tokens{};         // least that a full-attention wafer holds over all requests, before state
  int too_large_layer = -1;   // a layer larger than a wafer: no plan
  Bytes embedding{};
  Bytes head{};  // 0 extra for a tied model on one wafer
  bool tied = false;
};

// Working buffers are ignored. Source: data of Kimi K3 on 44 GB wafers (93 layers, 69 KDA of 16.99 GB and 24 MLA
// of 16.56 GB, KDA state 6.29 MB a request and layer, MLA 1,152 B a token):
//   full_attention_alone 70 wafers, two_everywhere 47, any_order 24 + 35 = 59;
//   two KDA layers leave 44 - 33.98 = 10.02 GB: 10.02e9 / 12.58e6 = 796 requests;
//   MLA alone leaves 27.44 GB: 23.8 M tokens, 29.9k each at 796 requests and 59.5k at 400;
//   MLA with KDA leaves 10.45 GB, less 796 x 6.29 MB = 5.44 GB: 4.7 M tokens, 5.9k each; at 400 requests 17.2k.
WaferPlan plan_wafers(const ModelFootprint& model, Bytes sram, const WaferRules& rules);

// Whole tokens of context that each of `requests` may have; kMaxContextTokens where nothing grows, 0 where state alone
// does not fit.
Tokens tokens_per_request(const WaferPlan& plan, double requests);

// Where embedding and head go when `requests` of `context` tokens are resident.
// Example (K3, 2.35 GB each, 70 wafers, 796 x 29.9k): the embedding fits beside dense layer 1; the last wafer is full,
// so the head takes an extra wafer, or leaves 27.4k tokens.
VocabularyPlace place_vocabulary(const WaferPlan& plan, double requests, Tokens context);

// The plan as stages, for timing and simulation: in-order rules only, at least as many devices as the plan needs, in
// ring order. A wafer that holds only embedding or head is a stage without layers, and the first and last stage share
// it.
PlacementAnswer place_on_wafers(const ModelFootprint& model, double requests, Tokens context, const WaferRules& rules,
                                const std::vector<PlacementDevice>& wafers);

}  // namespace oblea
