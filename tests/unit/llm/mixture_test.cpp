#include "llm/mixture.hpp"

#include <gtest/gtest.h>

#include "llm/recipe.hpp"
#include "unit/llm/library_models.hpp"

namespace oblea {
namespace {

using test::library_model;
using F = TensorFormat;

F format(const char* mixture, const char* model, TensorRole role, int layer) {
  return tensor_format(*find_mixture(mixture), library_model(model), role, layer);
}

TEST(Mixture, IsFoundInAnyCaseAndUnknownNamesAreNot) {
  EXPECT_EQ(find_mixture("q4_k_m")->name, "Q4_K_M");
  EXPECT_EQ(find_mixture("Q4_K"), nullptr);
  EXPECT_EQ(find_mixture(""), nullptr);
}

TEST(Mixture, ListRunsFromTheMostBitsToTheFewest) {
  const auto& all = all_mixtures();
  for (std::size_t i = 1; i < all.size(); ++i) EXPECT_GE(all[i - 1].nominal_bits, all[i].nominal_bits) << all[i].name;
}

// Nominal bits order recipes; they must not mislead: within 5 % of the real bits on a 70B (checkpoint recipes keep
// 16-bit ends).
TEST(Mixture, NominalBitsAreNearTheBitsOfA70B) {
  for (const Mixture& mixture : all_mixtures()) {
    if (mixture.name.find("_MOE") != std::string::npos || mixture.name.rfind("MXFP4", 0) == 0) continue;
    const double bits = test::file_bytes("llama-3.3-70b", mixture.name) * 8 / 70.554e9;
    EXPECT_NEAR(bits / mixture.nominal_bits, 1, 0.075) << mixture.name << " " << bits;
  }
}

// 80 layers: the first 10, the last 10, and every third between (12, 15, ...: (i - 10) % 3 == 2).
TEST(Mixture, SensitiveLayersAreTheEndsAndEveryThirdBetween) {
  for (const int i : {0, 9, 12, 15, 69, 70, 79}) EXPECT_TRUE(applies(Where::more_bits, i, 80)) << i;
  for (const int i : {10, 11, 13, 68}) EXPECT_FALSE(applies(Where::more_bits, i, 80)) << i;
}

TEST(Mixture, MediumFourBitRaisesValuesAndDownProjectionsOfSensitiveLayers) {
  EXPECT_EQ(format("Q4_K_M", "llama-3.1-8b", TensorRole::mlp_down, 0), F::q6_k);
  EXPECT_EQ(format("Q4_K_M", "llama-3.1-8b", TensorRole::mlp_down, 4), F::q4_k);
  EXPECT_EQ(format("Q4_K_M", "llama-3.1-8b", TensorRole::mlp_up, 0), F::q4_k);
  EXPECT_EQ(format("Q4_K_M", "llama-3.1-8b", TensorRole::head, 0), F::q6_k);
  EXPECT_EQ(format("Q4_K_M", "llama-3.1-8b", TensorRole::embedding, 0), F::q4_k);
  EXPECT_EQ(format("Q4_K_M", "llama-3.1-8b", TensorRole::norm, 0), F::f32);
}

// llama.cpp calls an 80-layer Llama with grouped queries "70B" and stores its V in Q5_K at least.
TEST(Mixture, TheSmallValuesOfA70BGetAtLeastFiveBits) {
  EXPECT_EQ(format("Q4_K_M", "llama-3.3-70b", TensorRole::attention_v, 10), F::q5_k);
  EXPECT_EQ(format("Q4_K_M", "llama-3.3-70b", TensorRole::attention_v, 0), F::q6_k);
  EXPECT_EQ(format("Q2_K", "llama-3.3-70b", TensorRole::attention_v, 10), F::q5_k);
  EXPECT_EQ(format("Q4_K_M", "mistral-large-2411-123b", TensorRole::attention_v, 11), F::q4_k);
}

TEST(Mixture, SmallValuesGetMoreBitsOnlyWithGroupedQueries) {
  EXPECT_EQ(format("Q2_K", "llama-3.1-8b", TensorRole::attention_v, 5), F::q4_k);
  EXPECT_EQ(format("Q2_K", "llama-2-7b", TensorRole::attention_v, 5), F::q3_k);
}

TEST(Mixture, EightExpertsRaiseKeysValuesAndAttentionOutput) {
  EXPECT_EQ(format("Q4_K_M", "mixtral-8x7b", TensorRole::attention_v, 5), F::q8_0);
  EXPECT_EQ(format("Q4_K_M", "mixtral-8x7b", TensorRole::attention_k, 5), F::q8_0);
  EXPECT_EQ(format("Q4_K_M", "mixtral-8x7b", TensorRole::attention_q, 5), F::q4_k);
  EXPECT_EQ(format("Q4_K_M", "mixtral-8x7b", TensorRole::attention_output, 5), F::q5_k);
  EXPECT_EQ(format("Q4_K_M", "mixtral-8x7b", TensorRole::router, 5), F::f32);
}

// gpt-oss: 2880 columns are no whole number of blocks of 256, so K-quants fall back; its experts stay as trained.
TEST(Mixture, OddWidthsFallBackAndNativeExpertsStay) {
  EXPECT_EQ(format("Q4_K_M", "gpt-oss-20b", TensorRole::attention_q, 5), F::q5_0);
  EXPECT_EQ(format("Q4_K_M", "gpt-oss-20b", TensorRole::head, 0), F::q8_0);
  EXPECT_EQ(format("Q2_K", "gpt-oss-20b", TensorRole::attention_q, 5), F::q4_0);
  EXPECT_EQ(format("Q2_K", "gpt-oss-20b", TensorRole::expert_up, 5), F::mxfp4);
  EXPECT_EQ(format("IQ4_XS", "gpt-oss-20b", TensorRole::attention_q, 5), F::iq4_nl);
}

// DeepSeek's K expansion has 128 columns a head: Q4_K becomes Q5_0.
TEST(Mixture, NarrowKeyExpansionsFallBack) {
  const Tensor expansion{TensorRole::latent_projection, 128, 128 * 512};
  EXPECT_EQ(tensor_format(*find_mixture("Q4_K_M"), library_model("deepseek-v3"), expansion, 5), F::q5_0);
}

TEST(Mixture, ATiedEmbeddingIsStoredAsTheHead) {
  EXPECT_EQ(format("Q4_K_M", "gemma-2-9b", TensorRole::embedding, 0), F::q6_k);
  EXPECT_EQ(format("IQ2_M", "gemma-2-9b", TensorRole::embedding, 0), F::q5_k);
}

TEST(Mixture, CheckpointsKeepTheirEndsInSixteenBits) {
  EXPECT_EQ(format("FP8", "deepseek-v3", TensorRole::expert_up, 5), F::fp8);
  EXPECT_EQ(format("FP8", "deepseek-v3", TensorRole::head, 0), F::bf16);
  EXPECT_EQ(format("INT4", "qwen2.5-72b", TensorRole::mlp_up, 5), F::int4_g128);
  EXPECT_EQ(format("INT4", "qwen2.5-72b", TensorRole::embedding, 0), F::bf16);
  EXPECT_EQ(format("MXFP4_BF16", "kimi-k3", TensorRole::attention_q, 5), F::bf16);
  EXPECT_EQ(format("MXFP4_BF16", "kimi-k3", TensorRole::expert_down, 5), F::mxfp4);
}

TEST(KvFormat, ElementsHaveTheBytesOfTheirBlocks) {
  EXPECT_DOUBLE_EQ(kv_element_bytes(KvFormat::f16), 2);
  EXPECT_DOUBLE_EQ(kv_element_bytes(KvFormat::q8_0), 1.0625);  // 8.5 bits
  EXPECT_DOUBLE_EQ(kv_element_bytes(KvFormat::q4_0), 0.5625);  // 4.5 bits
  EXPECT_DOUBLE_EQ(kv_element_bytes(KvFormat::fp8), 1);
  EXPECT_EQ(find_kv_format("Q8_0"), KvFormat::q8_0);
  EXPECT_EQ(find_kv_format("bf16"), KvFormat::bf16);
  EXPECT_DOUBLE_EQ(kv_element_bytes(*find_kv_format("q5_1")), 0.75);    // 6 bits
  EXPECT_DOUBLE_EQ(kv_element_bytes(*find_kv_format("q5_0")), 0.6875);  // 5.5 bits
  EXPECT_DOUBLE_EQ(kv_element_bytes(*find_kv_format("f32")), 4);
  EXPECT_TRUE(is_quantised(KvFormat::q4_1));
  EXPECT_FALSE(is_quantised(KvFormat::fp8));
  EXPECT_FALSE(find_kv_format("q3"));
}

}  // namespace
}  // namespace oblea
