#include "study/model_work.hpp"

#include <algorithm>

#include "base/check.hpp"
#include "llm/mixture.hpp"

namespace oblea {
namespace {

void add(UnpackLoads& loads, const FormatBytes& read) {
  for (std::size_t i = 0; i < read.bytes.size(); ++i) {
    if (read.bytes[i] <= 0) continue;
    const auto format = static_cast<TensorFormat>(i);
    const BlockFormat& block = block_format(format);
    UnpackLoad& load = loads[static_cast<std::size_t>(unpack_class(format))];
    load.bytes += read.bytes[i];
    load.weights += read.bytes[i] / block.bytes_per_block * block.weights_per_block;
  }
}

double bf16_of(const FormatBytes& read) { return read.bytes[static_cast<std::size_t>(TensorFormat::bf16)]; }

// Layers of the same window are one group; at most a handful remain.
AttentionWork& group_of(ModelWork& work, std::int64_t window) {
  const auto tokens = static_cast<double>(window);
  const auto group = std::find_if(work.attention.begin(), work.attention.end(),
                                  [&](const AttentionWork& g) { return g.window == tokens; });
  if (group != work.attention.end()) return *group;
  work.attention.push_back({.window = tokens});
  return work.attention.back();
}

// A sparse attention reads so many tokens at most, like a window; its indexer reads its keys of all of them.
void add_attention(ModelWork& work, const LayerFootprint& layer) {
  if (layer.flops_per_cached_token.value() <= 0) return;
  AttentionWork& group = group_of(work, layer.attended > 0 ? layer.attended : layer.window);
  group.kv_bytes_per_token += (layer.kv_per_token - layer.index_per_token).value();
  group.flops_per_cached_token += layer.flops_per_cached_token.value();
  group.prefill_flops_per_cached_token += layer.prefill_flops_per_cached_token.value();
  group.scores_per_cached_token += layer.heads;
  if (layer.index_per_token.value() <= 0) return;
  AttentionWork& index = group_of(work, layer.window);
  index.kv_bytes_per_token += layer.index_per_token.value();
  index.flops_per_cached_token += layer.index_flops_per_cached_token.value();
  index.prefill_flops_per_cached_token += layer.index_flops_per_cached_token.value();
}

void scale(UnpackLoads& loads, double factor) {
  for (UnpackLoad& load : loads) load.bytes *= factor;
}

}  // namespace

UnpackClass unpack_class(TensorFormat format) {
  using F = TensorFormat;
  switch (format) {
    case F::f32:
    case F::f16:
    case F::bf16:
      return UnpackClass::float16;
    case F::q8_0:
    case F::fp8:
    case F::int8:
      return UnpackClass::int8;
    case F::q5_0:
    case F::q5_1:
    case F::q4_0:
    case F::q4_1:
    case F::mxfp4:
    case F::nvfp4:
      return UnpackClass::nibble;
    case F::q6_k:
    case F::q5_k:
    case F::q4_k:
    case F::q3_k:
    case F::iq4_nl:
    case F::iq4_xs:
      return UnpackClass::k_quant;
    case F::q2_k:
    case F::tq1_0:
    case F::tq2_0:
      return UnpackClass::low_bit;
    case F::iq3_s:
    case F::iq3_xxs:
    case F::iq2_s:
    case F::iq2_xs:
    case F::iq2_xxs:
    case F::iq1_m:
    case F::iq1_s:
      return UnpackClass::codebook;
    default:
      return UnpackClass::nibble;  // INT4 in groups
  }
}

ModelWork make_model_work(const ModelFootprint& model, LayerRange range) {
  const int end = range.first + range.count;
  OBLEA_CHECK(range.first >= 0 && range.count >= 0 && end <= static_cast<int>(model.layers.size()),
              "a stage is a run of layers");
  ModelWork work;
  FormatBytes trunk;
  FormatBytes expert;
  for (int i = range.first; i < end; ++i) {
    const LayerFootprint& layer = model.layers[static_cast<std::size_t>(i)];
    trunk += layer.trunk_read;
    if (layer.experts > 0) {
      expert += layer.expert_read;
      work.experts = std::max<double>(work.experts, layer.experts);
      work.active_experts = std::max<double>(work.active_experts, layer.active_experts);
    }
    work.state_bytes += layer.state_per_request.value();
    work.kernels += layer.kernels;
    add_attention(work, layer);
  }
  if (range.with_head) {
    trunk += model.head_read;
    work.head_bytes = model.head_read.total().value();
    work.head_weights = model.head_flops_per_token.value() / 2;
    work.kernels += 2;
  }
  add(work.trunk, trunk);
  add(work.expert, expert);
  work.bf16_bytes = bf16_of(trunk) + work.active_experts * bf16_of(expert);
  return work;
}

ModelWork make_model_work(const ModelFootprint& model) {
  return make_model_work(model, {.first = 0, .count = static_cast<int>(model.layers.size())});
}

ModelWork make_file_work(const ModelSpec& model, const Mixture& experts, const Mixture& trunk, double file_bytes) {
  const ModelFootprint by_trunk = make_footprint(model, trunk);
  ModelWork work = make_model_work(by_trunk);
  if (experts.name != trunk.name) {
    const ModelWork other = make_model_work(make_footprint(model, experts));
    work.expert = other.expert;
    work.bf16_bytes = 0;
  }
  if (file_bytes <= 0) return work;
  const double embedding = model.tied_embeddings ? 0 : by_trunk.embedding.value();
  const double expert_bytes = work.experts * total(work.expert).bytes;
  const double trunk_bytes = total(work.trunk).bytes + embedding;
  if (expert_bytes <= 0) {
    const double factor = file_bytes / trunk_bytes;
    scale(work.trunk, factor);
    work.head_bytes *= factor;
    work.bf16_bytes *= factor;
    return work;
  }
  const double for_experts = file_bytes - trunk_bytes;
  if (for_experts >= expert_bytes) {
    scale(work.expert, for_experts / expert_bytes);
  } else {
    // Less is left than the experts' recipe takes. A 16-bit trunk then is part Q8_0; what is still missing, the experts
    // lack.
    const double q8_share = std::min(1.0, total(work.trunk).weights * 34 / 32 / total(work.trunk).bytes);
    const double factor = std::clamp((file_bytes - expert_bytes) / trunk_bytes, q8_share, 1.0);
    scale(work.trunk, factor);
    work.head_bytes *= factor;
    scale(work.expert, (file_bytes - trunk_bytes * factor) / expert_bytes);
  }
  return work;
}

}  // namespace oblea
