#include "io/gguf/recurrent.hpp"

#include <algorithm>

#include "io/gguf/attention.hpp"

namespace oblea {
namespace {

// Named where it is missing.
int require(GgufKeys& keys, const char* key, const char* what, const char* example) {
  const std::int64_t value = keys.integer(key).value_or(0);
  if (value <= 0) keys.missing(key, what, example);
  return keys.width(value, what);
}

int read_state(GgufKeys& keys) { return require(keys, "ssm.state_size", "the state of a channel", "128"); }
int read_kernel(GgufKeys& keys) { return require(keys, "ssm.conv_kernel", "taps of the short convolution", "4"); }
int read_inner(GgufKeys& keys) { return require(keys, "ssm.inner_size", "channels of the recurrent layers", "4096"); }

}  // namespace

Attention read_delta(GgufKeys& keys) {
  Attention a;
  a.kind = AttentionKind::linear;
  a.key_heads = require(keys, "ssm.group_count", "heads of K of the linear layers", "16");
  a.key_dim = read_state(keys);
  a.value_heads = require(keys, "ssm.time_step_rank", "heads of V of the linear layers", "32");
  a.value_dim = read_inner(keys) / std::max(1, a.value_heads);
  a.conv_kernel = read_kernel(keys);
  a.output_gate = true;
  return a;
}

Attention read_kimi_delta(GgufKeys& keys, const GgufPlan& plan, int layer, const GgufBlock& block) {
  Attention a;
  a.kind = AttentionKind::linear;
  a.key_dim = a.value_dim = require(keys, "kda.head_dim", "the width of a head", "128");
  const std::int64_t rows = block.rows("attn_q.weight");
  a.value_heads = rows > 0 && a.key_dim > 0 ? keys.width(rows / a.key_dim, "heads") : require_heads(keys, plan, layer);
  a.key_heads = a.value_heads;
  a.conv_kernel = read_kernel(keys);
  a.gate_rank = block.has("ssm_f_a.weight") ? keys.width(block.rows("ssm_f_a.weight"), "the gate's rank") : a.key_dim;
  a.output_gate = !block.empty() && !block.has("ssm_g_a.weight");
  return a;
}

Attention read_mamba(GgufKeys& keys, const GgufBlock& block) {
  Attention a;
  a.kind = AttentionKind::ssm;
  const int inner = read_inner(keys);
  const int steps = require(keys, "ssm.time_step_rank", "heads, or the rank of the step", "64");
  const int groups = keys.width(keys.integer("ssm.group_count").value_or(0), "groups");
  const bool first = is_telling(block) ? block.has("ssm_x.weight") : groups == 0;
  a.key_dim = read_state(keys);
  a.conv_kernel = read_kernel(keys);
  a.key_heads = std::max(1, groups);
  a.value_heads = first ? 1 : std::max(1, steps);
  a.value_dim = inner / a.value_heads;
  a.dt_rank = first ? steps : 0;
  return a;
}

Attention read_convolution(GgufKeys& keys, const GgufPlan& plan, const GgufBlock& block) {
  Attention a;
  a.kind = AttentionKind::conv;
  const std::int64_t taps = block.columns("shortconv.conv.weight");
  const std::int64_t channels = block.columns("shortconv.out_proj.weight");
  a.conv_kernel =
      taps > 0 ? keys.width(taps, "taps") : require(keys, "shortconv.l_cache", "taps of the convolution", "3");
  a.value_dim = keys.width(channels > 0 ? channels : plan.hidden, "channels of the convolution");
  return a;
}

Attention read_rwkv(GgufKeys& keys, const GgufPlan& plan) {
  Attention a;
  a.kind = AttentionKind::linear;
  a.key_dim = a.value_dim = require(keys, "wkv.head_size", "the width of a head", "64");
  a.key_heads = a.value_heads = keys.width(plan.hidden / std::max(1, a.key_dim), "heads");
  a.conv_kernel = 2;
  a.output_gate = true;
  return a;
}

}  // namespace oblea
