#include "llm/tensors.hpp"

#include <gtest/gtest.h>

namespace oblea {
namespace {

Attention grouped() { return {.kind = AttentionKind::full, .heads = 64, .kv_heads = 8, .head_dim = 128}; }

std::int64_t total(const std::vector<Tensor>& tensors) {
  std::int64_t sum = 0;
  for (const Tensor& t : tensors) sum += t.weights();
  return sum;
}

// 8192 x 8192 (Q) + 2 x 8192 x 1024 (K, V) + 8192 x 8192 (output) = 150,994,944.
TEST(Tensors, GroupedQueryAttentionHasFourMatrices) {
  const auto tensors = attention_tensors(grouped(), 8192);
  EXPECT_EQ(tensors.size(), 4u);
  EXPECT_EQ(total(tensors), 150'994'944);
}

// Gemma 4's global layers project K only: 8192 x 1024 less than above.
TEST(Tensors, OneProjectionForKeysAndValuesSavesAMatrix) {
  Attention a = grouped();
  a.k_equals_v = true;
  EXPECT_EQ(total(attention_tensors(a, 8192)), 150'994'944 - 8192 * 1024);
}

// Biases: 8192 + 1024 + 1024 (Q, K, V) and 8192 (output); QK norm: two vectors of a head; an output gate doubles Q.
TEST(Tensors, BiasesNormsAndGatesAreCounted) {
  Attention a = grouped();
  a.qkv_bias = a.output_bias = a.qk_norm = a.output_gate = true;
  EXPECT_EQ(total(attention_tensors(a, 8192)), 150'994'944 + 10'240 + 8'192 + 256 + 8192 * 8192);
}

// DeepSeek V3: 7168 x 1536 + 1536 x 128 x 192 + 7168 x 576 + 512 x 128 x 256 + 16384 x 7168, and norms of 1536 + 512.
TEST(Tensors, LatentAttentionMatchesTheSumByHand) {
  const Attention a{.kind = AttentionKind::latent,
                    .heads = 128,
                    .v_head_dim = 128,
                    .q_lora_rank = 1536,
                    .kv_lora_rank = 512,
                    .rope_dim = 64,
                    .nope_dim = 128};
  EXPECT_EQ(total(attention_tensors(a, 7168)), 11'010'048 + 37'748'736 + 4'128'768 + 16'777'216 + 117'440'512 + 2'048);
}

// Without a Q bottleneck (DeepSeek V2 Lite): 2048 x 16 x 192 in place of the two Q matrices and their norm.
TEST(Tensors, LatentAttentionWithoutQBottleneckProjectsQDirectly) {
  const Attention a{.kind = AttentionKind::latent,
                    .heads = 16,
                    .v_head_dim = 128,
                    .kv_lora_rank = 512,
                    .rope_dim = 64,
                    .nope_dim = 128};
  EXPECT_EQ(attention_tensors(a, 2048).front().role, TensorRole::attention_q);
  EXPECT_EQ(attention_tensors(a, 2048).front().weights(), 2048 * 16 * 192);
}

// Kimi K3, KDA: Q, K, V, output gate and output 5 x 7168 x 12288 = 440.4 M; beta 0.69 M; decay 0.92 + 1.57 M.
TEST(Tensors, DeltaAttentionOfKimiK3Has444MillionWeights) {
  const Attention a{.kind = AttentionKind::linear,
                    .key_heads = 96,
                    .key_dim = 128,
                    .value_heads = 96,
                    .value_dim = 128,
                    .conv_kernel = 4,
                    .gate_rank = 128,
                    .output_gate = true};
  EXPECT_NEAR(static_cast<double>(total(attention_tensors(a, 7168))), 443.75e6, 0.1e6);
}

// Kimi K3: an expert is 3 x 3584 x 3072 = 33,030,144 weights; it sits behind projections from and to 7168.
TEST(Tensors, NarrowExpertsComeWithTheirProjections) {
  const Mlp mlp{.kind = MlpKind::moe,
                .intermediate = 3072,
                .experts = 896,
                .active_experts = 16,
                .shared_experts = 2,
                .shared_intermediate = 6144,
                .expert_hidden = 3584};
  const std::int64_t routed = 896LL * 33'030'144;
  const std::int64_t trunk = 2LL * 7168 * 3584 + 3LL * 7168 * 6144 + 7168LL * 896;
  EXPECT_EQ(total(mlp_tensors(mlp, 7168)), routed + trunk);
}

TEST(Tensors, AnUngatedMlpHasTwoMatrices) {
  EXPECT_EQ(total(mlp_tensors({.kind = MlpKind::dense, .intermediate = 16384, .gated = false}, 4096)),
            2 * 4096 * 16384);
}

TEST(Tensors, ALayerWithoutAttentionAndMlpHoldsItsNormsOnly) {
  Layer layer;
  layer.attention.kind = AttentionKind::none;
  layer.mlp.kind = MlpKind::none;
  layer.norms = 1;
  EXPECT_EQ(total(layer_tensors(layer, 4096)), 4096);
}

}  // namespace
}  // namespace oblea
