// ModelWork: what one pass over some layers of a model reads and computes, summed up so that a prediction needs no loop
// over layers.
#pragma once

#include <array>
#include <vector>

namespace oblea {

// Formats whose kernels unpack weights at a like cost.
enum class UnpackClass { float16, int8, nibble, k_quant, low_bit, codebook };
inline constexpr int kUnpackClassCount = 6;

struct UnpackLoad {
  double bytes = 0;
  double weights = 0;
};
using UnpackLoads = std::array<UnpackLoad, kUnpackClassCount>;

// Layers with the same kind of attention, taken together.
struct AttentionWork {
  double kv_bytes_per_token = 0;              // cached, all layers of the group
  double flops_per_cached_token = 0;          // decode: a token computed and a token in its context
  double prefill_flops_per_cached_token = 0;  // prefill; differs for MLA, which then expands K and V
  double scores_per_cached_token = 0;         // heads, all layers of the group
  double window = 0;                          // tokens; 0: all
};

struct ModelWork {
  UnpackLoads trunk;   // read by every pass: attention, norms, router, shared experts, dense MLP, head
  UnpackLoads expert;  // one routed expert of every MoE layer
  double experts = 0;
  double active_experts = 0;
  double head_weights = 0;  // part of trunk; a prompt needs it for its last token only
  double head_bytes = 0;
  double bf16_bytes = 0;   // of trunk and active experts; some back ends copy these before use
  double state_bytes = 0;  // fixed state of one request, read and written by every token
  double kernels = 0;      // launches of one pass
  std::vector<AttentionWork> attention;
};

// Distinct experts that `tokens` tokens touch: E (1 - (1 - k/E)^tokens). Example: E 128, k 8, 2 tokens: 15.5.
double distinct_experts_touched(const ModelWork& work, double tokens);

// Bytes and weights of all classes together.
UnpackLoad total(const UnpackLoads& loads);

// Tokens of the context that one group attends to.
inline double attended(const AttentionWork& group, double context) {
  return group.window > 0 && group.window < context ? group.window : context;
}

}  // namespace oblea
