#include "io/gguf/latent.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "llm/footprint.hpp"
#include "support/gguf_models.hpp"

namespace oblea {
namespace {

using test::block;
using test::GgufWriter;
using test::read_model_of;
using test::ReadModel;
using testing::HasSubstr;

// DeepSeek V3's attention (hidden 7168, 128 heads, latent 512 + 64, Q through 1536), one layer, dense.
GgufWriter deepseek(bool by_head) {
  GgufWriter w("deepseek2");
  w.number(".block_count", 1).number(".context_length", 163840).number(".embedding_length", 7168);
  w.number(".feed_forward_length", 18432).number(".attention.head_count", 128).number(".attention.head_count_kv", 1);
  w.number(".attention.kv_lora_rank", 512).number(".attention.q_lora_rank", 1536).number(".rope.dimension_count", 64);
  w.number(".attention.key_length", by_head ? 576 : 192).number(".attention.value_length", by_head ? 512 : 128);
  if (by_head) w.number(".attention.key_length_mla", 192).number(".attention.value_length_mla", 128);
  return w;
}

void add_tensors(GgufWriter& w, bool by_head) {
  w.tensor("token_embd.weight", {7168, 129280}).tensor("output.weight", {7168, 129280});
  w.tensor("blk.0.attn_q_a.weight", {7168, 1536}).tensor("blk.0.attn_q_b.weight", {1536, 24576});
  w.tensor("blk.0.attn_kv_a_mqa.weight", {7168, 576}).tensor("blk.0.attn_kv_a_norm.weight", {512}, test::kF32);
  if (by_head) {
    w.tensor("blk.0.attn_k_b.weight", {128, 512, 128}).tensor("blk.0.attn_v_b.weight", {512, 128, 128});
  } else {
    w.tensor("blk.0.attn_kv_b.weight", {512, 32768});
  }
  w.tensor("blk.0.attn_output.weight", {16384, 7168});
  test::add_mlp(w, 0, 7168, 18432);
}

void expect_latent(const Attention& a) {
  EXPECT_EQ(a.kind, AttentionKind::latent);
  EXPECT_EQ(a.heads, 128);
  EXPECT_EQ(a.kv_lora_rank, 512);
  EXPECT_EQ(a.rope_dim, 64);
  EXPECT_EQ(a.nope_dim, 128);
  EXPECT_EQ(a.v_head_dim, 128);
  EXPECT_EQ(a.q_lora_rank, 1536);
}

TEST(GgufLatent, IsReadFromKeysAndFromTensorsAlike) {
  const ReadModel keyed = read_model_of(deepseek(true), {"deepseek2.vocab_size=129280"});
  ASSERT_TRUE(keyed.model) << keyed.faults;
  expect_latent(keyed.attention(0));
  GgufWriter w = deepseek(true);
  add_tensors(w, true);
  const ReadModel read = read_model_of(w);
  ASSERT_TRUE(read.model) << read.faults;
  EXPECT_EQ(read.warnings, "");
  expect_latent(read.attention(0));
}

// (512 + 64) x 2 B = 1,152 B a token against 128 x (192 + 128) x 2 B = 81,920 B.
TEST(GgufLatent, OfAnOldFileIsCachedForEveryHead) {
  GgufWriter w = deepseek(false);
  add_tensors(w, false);
  const ReadModel read = read_model_of(w);
  ASSERT_TRUE(read.model) << read.faults;
  EXPECT_EQ(read.attention(0).kind, AttentionKind::full);
  EXPECT_THAT(read.warnings, HasSubstr("40960 numbers a token and layer instead of 576"));
  const ModelFootprint footprint = make_footprint(*read.model, *find_mixture(kStoredMixture));
  EXPECT_EQ(footprint.layers[0].kv_per_token.value(), 81'920);
  GgufWriter fresh = deepseek(true);
  add_tensors(fresh, true);
  const ReadModel small = read_model_of(fresh);
  EXPECT_EQ(make_footprint(*small.model, *find_mixture(kStoredMixture)).layers[0].kv_per_token.value(), 1'152);
}

TEST(GgufLatent, NamesWhatIsMissing) {
  GgufWriter w = deepseek(true);
  w.remove(".attention.value_length_mla").remove(".attention.value_length").remove(".rope.dimension_count");
  const std::string faults = read_model_of(w).faults;
  EXPECT_THAT(faults, HasSubstr("deepseek2.attention.value_length"));
  EXPECT_THAT(faults, HasSubstr("deepseek2.rope.dimension_count"));
}

TEST(GgufLatent, MayHaveAnIndexer) {
  GgufWriter w = deepseek(true);
  w.number(".attention.indexer.head_count", 64).number(".attention.indexer.key_length", 128);
  w.number(".attention.indexer.top_k", 2048);
  const ReadModel read = read_model_of(w, {"deepseek2.vocab_size=129280"});
  ASSERT_TRUE(read.model);
  EXPECT_EQ(read.attention(0).index_heads, 64);
  EXPECT_EQ(read.attention(0).index_dim, 128);
  EXPECT_EQ(read.attention(0).index_top, 2048);
}

// DeepSeek V4: a window, entries of 4 tokens that an indexer picks, entries of 128 that are all read.
TEST(GgufLatent, CompressedAttentionHasARatioALayer) {
  GgufWriter w = test::small_keys("deepseek4");
  w.remove(".block_count").number(".block_count", 3).number(".attention.key_length", 512);
  w.number(".attention.sliding_window", 128).number(".attention.q_lora_rank", 1536);
  w.number(".attention.output_group_count", 16).number(".attention.output_lora_rank", 1024);
  w.number(".attention.indexer.head_count", 64).number(".attention.indexer.key_length", 128);
  EXPECT_EQ(read_model_of(w).attention(0).kind, AttentionKind::full) << "without ratios it is another attention";
  w.numbers(".attention.compress_ratios", {0, 4, 128});
  const ReadModel read = read_model_of(w);
  ASSERT_TRUE(read.model) << read.faults;
  for (std::size_t i = 0; i < 3; ++i) EXPECT_EQ(read.attention(i).kind, AttentionKind::compressed);
  EXPECT_EQ(read.attention(0).compress_ratio, 0);
  EXPECT_EQ(read.attention(1).compress_ratio, 4);
  EXPECT_EQ(read.attention(1).index_heads, 64);
  EXPECT_EQ(read.attention(2).compress_ratio, 128);
  EXPECT_EQ(read.attention(2).index_heads, 0);
  EXPECT_EQ(read.attention(2).window, 128);
}

}  // namespace
}  // namespace oblea
