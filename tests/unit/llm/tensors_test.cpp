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

// GLM-5's indexer: 2048 x 32 x 128 + 6144 x 128 + 6144 x 32, and the key's norm of 2 x 128.
TEST(Tensors, AnIndexerAddsItsProjections) {
  Attention a{.kind = AttentionKind::latent,
              .heads = 64,
              .v_head_dim = 256,
              .q_lora_rank = 2048,
              .kv_lora_rank = 512,
              .rope_dim = 64,
              .nope_dim = 192};
  const std::int64_t without = total(attention_tensors(a, 6144));
  a.index_heads = 32;
  a.index_dim = 128;
  EXPECT_EQ(total(attention_tensors(a, 6144)) - without, 8'388'608 + 786'432 + 196'608 + 256);
}

// MiniMax M3: 4 query heads and one key of 128, all from hidden: 6144 x 512 + 6144 x 128, and the norm.
TEST(Tensors, AnIndexerOfGroupedQueriesHasNoWeightsAHead) {
  Attention a = grouped();
  a.index_heads = 4;
  a.index_dim = 128;
  EXPECT_EQ(total(attention_tensors(a, 6144)) - total(attention_tensors(grouped(), 6144)),
            6144 * 512 + 6144 * 128 + 256);
}

Attention of_deepseek_v4_pro() {
  return {.kind = AttentionKind::compressed,
          .heads = 128,
          .kv_heads = 1,
          .head_dim = 512,
          .window = 128,
          .q_lora_rank = 1536,
          .output_groups = 16,
          .output_rank = 1024};
}

// 7168 x 1536 + 1536 x 65,536 + 7168 x 512 + 4096 x 16,384 + 16,384 x 7168 = 299.9 M, and norms of 1536 and 512.
TEST(Tensors, CompressedAttentionOfDeepSeekV4Pro) {
  EXPECT_EQ(total(attention_tensors(of_deepseek_v4_pro(), 7168)),
            11'010'048 + 100'663'296 + 3'670'016 + 67'108'864 + 117'440'512 + 1536 + 512);
}

// Ratio 128: two projections of 7168 x 512, a bias of 128 x 512, a norm of 512. Ratio 4 with its indexer: twice as
// wide, and the same for the indexer's 128, its queries 1536 x 64 x 128 and weights 7168 x 64.
TEST(Tensors, CompressorsOfBothRatios) {
  const std::int64_t window_only = total(attention_tensors(of_deepseek_v4_pro(), 7168));
  Attention heavy = of_deepseek_v4_pro();
  heavy.compress_ratio = 128;
  EXPECT_EQ(total(attention_tensors(heavy, 7168)) - window_only, 2 * 7168 * 512 + 128 * 512 + 512);
  Attention sparse = of_deepseek_v4_pro();
  sparse.compress_ratio = 4;
  sparse.index_heads = 64;
  sparse.index_dim = 128;
  EXPECT_EQ(total(attention_tensors(sparse, 7168)) - window_only,
            2 * 7168 * 1024 + 4 * 1024 + 512 + 2 * 7168 * 256 + 4 * 256 + 128 + 1536 * 8192 + 7168 * 64);
}

// LFM2: 2048 x 6144 + 2048 x 2048 + 3 x 2048 = 16,783,360.
TEST(Tensors, AShortConvolutionHasTwoMatrices) {
  const Attention a{.kind = AttentionKind::conv, .value_dim = 2048, .conv_kernel = 3};
  EXPECT_EQ(total(attention_tensors(a, 2048)), 16'783'360);
}

// Jamba's Mamba 1: 4096 x 16,384 + 8192 x 288 + 256 x 8192 + 8192 x 4096 = 105,119,744, a convolution of 8192 x 5 and
// decay, skip and step biases of 8192 x 18.
TEST(Tensors, MambaOneOfJamba) {
  const Attention a{.kind = AttentionKind::ssm,
                    .key_heads = 1,
                    .key_dim = 16,
                    .value_heads = 8192,
                    .value_dim = 1,
                    .conv_kernel = 4,
                    .dt_rank = 256};
  EXPECT_EQ(total(attention_tensors(a, 4096)), 105'119'744 + 8192 * 5 + 8192 * 18);
}

TEST(Tensors, AProjectionIsOneMatrix) {
  EXPECT_EQ(total(attention_tensors({.kind = AttentionKind::projection}, 4096)), 4096 * 4096);
  EXPECT_EQ(total(mlp_tensors({.kind = MlpKind::projection}, 4096)), 4096 * 4096);
}

// K and V of 2 x 8192 x 1024 less.
TEST(Tensors, ALayerThatSharesKvProjectsQueriesOnly) {
  Attention a = grouped();
  a.shares_kv = true;
  EXPECT_EQ(total(attention_tensors(a, 8192)), 150'994'944 - 2 * 8192 * 1024);
}

TEST(Tensors, WhatStandsBesideAttentionIsCounted) {
  Layer layer;
  layer.attention.kind = layer.beside.kind = AttentionKind::none;
  layer.mlp.kind = MlpKind::none;
  layer.norms = 0;
  layer.side_width = 256;
  EXPECT_EQ(total(layer_tensors(layer, 2048)), 2 * 2048 * 256);
  layer.beside = {.kind = AttentionKind::conv, .value_dim = 2048, .conv_kernel = 3};
  EXPECT_EQ(total(layer_tensors(layer, 2048)), 2 * 2048 * 256 + 16'783'360);
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
