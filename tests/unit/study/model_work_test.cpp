#include "study/model_work.hpp"

#include <gtest/gtest.h>

#include "io/model_file.hpp"

namespace oblea {
namespace {

ModelSpec model(const std::string& id) {
  Diagnostics warnings;
  return *find_model(std::string(OBLEA_SOURCE_DIRECTORY) + "/scenarios/models", id, warnings);
}

// 32 layers x 8 KV heads x 128 x 2 x 2 B = 131,072 B a token; 4 x 32 heads x 128 x 32 layers = 524,288 flops a cached
// token.
TEST(ModelWork, SumsTheLayersOfLlama8b) {
  const ModelWork work = make_model_work(make_footprint(model("llama-3-8b"), *find_mixture("Q4_K_M")));
  EXPECT_NEAR(total(work.trunk).weights, 7.505e9, 0.001e9);
  EXPECT_NEAR(total(work.trunk).bytes, 4.62e9, 0.02e9);
  ASSERT_EQ(work.attention.size(), 1u);
  EXPECT_DOUBLE_EQ(work.attention[0].kv_bytes_per_token, 131072);
  EXPECT_DOUBLE_EQ(work.attention[0].flops_per_cached_token, 524288);
  EXPECT_DOUBLE_EQ(work.head_weights, 128256.0 * 4096);
}

TEST(ModelWork, StagesAddUpToTheWhole) {
  const ModelFootprint footprint = make_footprint(model("gpt-oss-120b"), *find_mixture("MXFP4"));
  const ModelWork whole = make_model_work(footprint);
  const ModelWork first = make_model_work(footprint, {.first = 0, .count = 20, .with_head = false});
  const ModelWork second = make_model_work(footprint, {.first = 20, .count = 16, .with_head = true});
  EXPECT_NEAR(total(first.trunk).bytes + total(second.trunk).bytes, total(whole.trunk).bytes, 1);
  EXPECT_NEAR(total(first.expert).bytes + total(second.expert).bytes, total(whole.expert).bytes, 1);
  EXPECT_DOUBLE_EQ(first.kernels + second.kernels, whole.kernels);
}

TEST(ModelWork, AFileOfUnknownRecipeIsScaledToItsSize) {
  const ModelSpec spec = model("qwen3.6-35b-a3b");
  const ModelWork work = make_file_work(spec, *find_mixture("Q4_K_M"), *find_mixture("Q8_0"), 22.84e9);
  const double embedding = 248320.0 * 2048 * 34 / 32;
  EXPECT_NEAR(total(work.trunk).bytes + 256 * total(work.expert).bytes + embedding, 22.84e9, 0.01e9);
}

// gemma-4-26b-a4b in 27.85 GB: experts at Q8_0 take 24.27 GB, so the 16-bit trunk of 2.4 G weights gets 3.58 GB,
// not 4.78.
TEST(ModelWork, ASixteenBitTrunkGivesWayBeforeTheExperts) {
  const ModelWork work = make_file_work(model("gemma-4-26b-a4b"), *find_mixture("Q8_0"), *find_mixture("F16"), 27.85e9);
  EXPECT_NEAR(total(work.trunk).bytes, 3.58e9, 0.05e9);
}

}  // namespace
}  // namespace oblea
