#include "io/gguf/weights.hpp"

#include <gtest/gtest.h>

#include "support/gguf_models.hpp"

namespace oblea {
namespace {

using test::block;
using test::GgufWriter;
using test::read_model_of;
using test::ReadModel;
using test::small_keys;

double bytes(const FormatBytes& at, TensorFormat format) { return at.bytes[static_cast<std::size_t>(format)]; }

TEST(GgufWeights, EveryByteHasItsPlace) {
  GgufWriter w = small_keys();
  w.number(".expert_used_count", 2);
  w.tensor("token_embd.weight", {64, 100}, test::kQ8_0).tensor("output.weight", {64, 100});
  w.tensor("output_norm.weight", {64}, test::kF32).tensor("rope_freqs.weight", {8}, test::kF32);
  w.tensor("v.blk.0.attn_q.weight", {64, 64}).tensor("per_layer_token_embd.weight", {64, 1000});
  test::add_attention(w, 0, 64, 64, 64);
  test::add_mlp(w, 0, 64, 128);
  test::add_attention(w, 1, 64, 64, 64);
  test::add_experts(w, 1, 64, 32, 8, test::kQ4_0);
  const ReadModel read = read_model_of(w);
  ASSERT_TRUE(read.model) << read.faults;
  const StoredWeights& stored = *read.model->stored;
  EXPECT_EQ(bytes(stored.embedding, TensorFormat::q8_0), 100 * 64 / 32 * 34);
  EXPECT_EQ(bytes(stored.head, TensorFormat::f16), 100 * 64 * 2);
  EXPECT_EQ(bytes(stored.extra, TensorFormat::f32), 8 * 4);
  EXPECT_EQ(bytes(stored.extra, TensorFormat::f16), (64 * 64 + 64 * 1000) * 2);
  EXPECT_EQ(bytes(stored.layers[0].trunk, TensorFormat::f32), 2 * 64 * 4);
  EXPECT_EQ(bytes(stored.layers[0].trunk, TensorFormat::f16), (4 * 64 * 64 + 3 * 64 * 128) * 2);
  EXPECT_TRUE(stored.layers[0].experts.empty());
  EXPECT_EQ(bytes(stored.layers[1].experts, TensorFormat::q4_0), 3.0 * 8 * 64 * 32 / 32 * 18);
  // The router, the norm, and the model's last norm.
  EXPECT_EQ(bytes(stored.layers[1].trunk, TensorFormat::f32), (64 * 8 + 64 + 64) * 4);
}

TEST(GgufWeights, LayersThatPredictFurtherTokensAreResidentAndNotRun) {
  GgufWriter w = small_keys("glm4moe");
  w.remove(".block_count").number(".block_count", 3).number(".nextn_predict_layers", 1);
  test::add_ends(w);
  for (int i = 0; i < 3; ++i) {
    test::add_attention(w, i, 64, 64, 64);
    test::add_mlp(w, i, 64, 128);
  }
  EXPECT_EQ(read_model_of(w).model->layers.size(), 3u) << "no tensor of the third says that it predicts";
  w.tensor("blk.2.nextn.eh_proj.weight", {128, 64});
  const ReadModel read = read_model_of(w);
  ASSERT_TRUE(read.model);
  EXPECT_EQ(read.model->layers.size(), 2u);
  EXPECT_EQ(read.model->stored->extra.total().value(), (4 * 64 * 64 + 3 * 64 * 128 + 128 * 64) * 2 + 2 * 64 * 4);
}

// 1,024 bytes for 256 x 7 weights: 0.571 a weight, nearest to 4.5 bits.
TEST(GgufWeights, AnUnknownTypeCountsWithItsBytesAndTheNearestFormat) {
  GgufWriter w = small_keys();
  w.tensor("token_embd.weight", {256, 7}, 77, 1024).tensor("output_norm.weight", {64}, test::kF32);
  const ReadModel read = read_model_of(w, {"llama.embedding_length=256"});
  ASSERT_TRUE(read.model) << read.faults;
  EXPECT_EQ(bytes(read.model->stored->embedding, TensorFormat::q4_0), 1024);
}

TEST(GgufWeights, TensorsBeyondTheLastLayerAreKeptAndSaidSo) {
  GgufWriter w = small_keys();
  test::add_ends(w);
  for (int i = 0; i < 3; ++i) {
    test::add_attention(w, i, 64, 64, 64);
    test::add_mlp(w, i, 64, 128);
  }
  const ReadModel read = read_model_of(w);
  ASSERT_TRUE(read.model);
  EXPECT_EQ(read.model->layers.size(), 2u);
  EXPECT_GT(read.model->stored->extra.total().value(), 0);
  EXPECT_NE(read.warnings.find("llama.block_count is 2, but there are tensors of 3 layers"), std::string::npos);
}

}  // namespace
}  // namespace oblea
