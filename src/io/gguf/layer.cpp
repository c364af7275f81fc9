#include "io/gguf/layer.hpp"

#include <algorithm>

#include <fmt/core.h>

#include "base/limits.hpp"
#include "io/gguf/attention.hpp"
#include "io/gguf/mlp.hpp"

namespace oblea {
namespace {

// Vectors as wide as the model, by name; those of a head or a rank are narrower.
int count_norms(const GgufBlock& block, std::int64_t hidden) {
  const auto is_norm = [&](const auto& entry) {
    const auto& [name, tensor] = entry;
    return name.find("norm") != std::string_view::npos && name.ends_with(".weight") && tensor->weights() == hidden;
  };
  constexpr std::ptrdiff_t kMost = 16;
  return static_cast<int>(std::min(kMost, std::count_if(block.tensors().begin(), block.tensors().end(), is_norm)));
}

// Counts beyond these are no model's, and their products would leave 64 bits.
void check_bounds(GgufKeys& keys, const Layer& layer) {
  const auto check = [&](double width) {
    if (width <= kMaxGgufWidth) return;
    keys.fault(fmt::format("the geometry has a width of {:.0f}; the limit is {}", width, kMaxGgufWidth),
               "the header is damaged, or an override is wrong");
  };
  for (const Attention* a : {&layer.attention, &layer.beside}) {
    const double head = std::max({a->head_dim, a->v_head_dim, a->nope_dim + a->rope_dim, a->kv_lora_rank});
    check(head * std::max(a->heads, a->kv_heads));
    check(1.0 * a->key_heads * a->key_dim);
    check(1.0 * a->value_heads * std::max(a->value_dim, a->key_dim));
    check(1.0 * a->index_heads * a->index_dim);
    check(1.0 * a->output_groups * a->output_rank);
    check(256.0 * a->conv_kernel);
    check(16.0 * a->compress_ratio);
  }
  const Mlp& mlp = layer.mlp;
  for (const std::int64_t width :
       {mlp.intermediate, mlp.shared_intermediate, mlp.dense_intermediate, mlp.expert_hidden}) {
    check(static_cast<double>(width));
  }
  check(256.0 * mlp.experts);
  check(static_cast<double>(mlp.intermediate) * mlp.experts / 64);
}

}  // namespace

Layer read_gguf_layer(GgufKeys& keys, const GgufPlan& plan, int index, const GgufBlock& block) {
  Layer layer;
  GgufMixers mixers = read_mixers(keys, plan, index, block);
  layer.attention = mixers.main;
  layer.beside = mixers.beside;
  layer.mlp = read_mlp(keys, plan, index, block);
  if (is_telling(block)) {
    layer.norms = count_norms(block, plan.hidden);
    layer.side_width =
        keys.width(block.rows("inp_gate.weight") + block.rows("laurel_l.weight"), "the width of side inputs");
  }
  check_bounds(keys, layer);
  return layer;
}

}  // namespace oblea
