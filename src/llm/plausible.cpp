#include "llm/plausible.hpp"

#include <array>
#include <cstdint>

#include <fmt/core.h>

#include "llm/parameters.hpp"

namespace oblea {
namespace {

struct Bound {
  const char* what;
  std::int64_t value;
  std::int64_t limit;
};

constexpr std::int64_t kCount = 1 << 14;  // heads, experts
constexpr std::int64_t kHeadWidth = 1 << 14;
constexpr std::int64_t kRank = 1 << 16;
constexpr std::int64_t kHidden = 1 << 20;
constexpr std::int64_t kWide = 1 << 22;  // an MLP, the inner width of Mamba
constexpr double kParameters = 1e16;

template <std::size_t N>
std::string first_beyond(const std::array<Bound, N>& bounds) {
  for (const Bound& bound : bounds) {
    if (bound.value < 0 || bound.value > bound.limit)
      return fmt::format("{} {}; no model has more than {}", bound.what, bound.value, bound.limit);
  }
  return "";
}

std::string beyond(const Attention& a) {
  return first_beyond(std::array<Bound, 21>{{
      {"heads", a.heads, kCount},
      {"KV heads", a.kv_heads, kCount},
      {"a head dimension of", a.head_dim, kHeadWidth},
      {"a head dimension of V of", a.v_head_dim, kHeadWidth},
      {"a rank of Q of", a.q_lora_rank, kRank},
      {"a latent KV of", a.kv_lora_rank, kRank},
      {"a rotary part of", a.rope_dim, kHeadWidth},
      {"a part without rotation of", a.nope_dim, kHeadWidth},
      {"key heads", a.key_heads, kCount},
      {"a state or key of", a.key_dim, kHeadWidth},
      {"value heads", a.value_heads, kWide},
      {"a value of", a.value_dim, kWide},
      {"values of all heads", std::int64_t{a.value_heads} * a.value_dim, kWide},
      {"taps", a.conv_kernel, 1 << 10},
      {"a gate of rank", a.gate_rank, kRank},
      {"a step of rank", a.dt_rank, kRank},
      {"heads of the indexer", a.index_heads, kCount},
      {"a key of the indexer of", a.index_dim, kHeadWidth},
      {"a compression ratio of", a.compress_ratio, kHidden},
      {"groups of the output", a.output_groups, kCount},
      {"an output of rank", a.output_rank, kRank},
  }});
}

std::string beyond(const Mlp& mlp) {
  return first_beyond(std::array<Bound, 5>{{
      {"an MLP of width", mlp.intermediate, kWide},
      {"experts", mlp.experts, kCount},
      {"shared experts of width", mlp.shared_intermediate, kWide},
      {"experts that see a width of", mlp.expert_hidden, kHidden},
      {"a dense MLP of width", mlp.dense_intermediate, kWide},
  }});
}

std::string beyond(const Layer& layer) {
  for (const std::string& words : {beyond(layer.attention), beyond(layer.beside), beyond(layer.mlp)}) {
    if (!words.empty()) return words;
  }
  return first_beyond(std::array<Bound, 2>{{{"norms", layer.norms, 64}, {"a side width of", layer.side_width, kRank}}});
}

}  // namespace

std::string find_implausible(const ModelSpec& model) {
  std::string ends = first_beyond(std::array<Bound, 2>{
      {{"a hidden size of", model.hidden, kHidden}, {"a vocabulary of", model.vocabulary, 1 << 24}}});
  if (!ends.empty()) return ends;
  double sum = 0;
  for (std::size_t i = 0; i < model.layers.size(); ++i) {
    const std::string words = beyond(model.layers[i]);
    if (!words.empty()) return fmt::format("layer {}: {}", i, words);
    sum += static_cast<double>(layer_parameters(model.layers[i], model.hidden));
  }
  return sum > kParameters ? fmt::format("{:.1e} parameters; no model has more than {:.0e}", sum, kParameters) : "";
}

}  // namespace oblea
