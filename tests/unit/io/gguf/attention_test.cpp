#include "io/gguf/attention.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/gguf_models.hpp"

namespace oblea {
namespace {

using test::block;
using test::GgufWriter;
using test::read_model_of;
using test::ReadModel;
using test::small_keys;
using testing::HasSubstr;

// Both layers' feed-forward, so that only attention varies.
void add_rest(GgufWriter& w) {
  test::add_ends(w);
  for (int i = 0; i < 2; ++i) test::add_mlp(w, i, 64, 128);
}

TEST(GgufAttention, HasAsManyKvHeadsAsTheTensorsWhenTheKeyIsAbsent) {
  GgufWriter w = small_keys();
  add_rest(w);
  for (int i = 0; i < 2; ++i) test::add_attention(w, i, 64, 64, 32);
  const ReadModel read = read_model_of(w);
  ASSERT_TRUE(read.model) << read.faults;
  EXPECT_EQ(read.attention(0).kind, AttentionKind::full);
  EXPECT_EQ(read.attention(0).heads, 4);
  EXPECT_EQ(read.attention(0).kv_heads, 2);
  EXPECT_EQ(read.attention(0).head_dim, 16);
  EXPECT_EQ(read.warnings, "");
}

TEST(GgufAttention, TrustsTheTensorsWhereTheKeyDisagrees) {
  GgufWriter w = small_keys();
  w.number(".attention.head_count_kv", 4);
  add_rest(w);
  for (int i = 0; i < 2; ++i) test::add_attention(w, i, 64, 64, 32);
  const ReadModel read = read_model_of(w);
  ASSERT_TRUE(read.model);
  EXPECT_EQ(read.attention(1).kv_heads, 2);
  EXPECT_THAT(read.warnings, HasSubstr("llama.attention.head_count_kv is 4, but the tensors of layer 0 make it 2"));
  EXPECT_THAT(read.warnings, testing::Not(HasSubstr("layer 1 make")));
}

TEST(GgufAttention, TakesTheWidthOfAHeadFromItsNorm) {
  GgufWriter w = small_keys("qwen3");
  w.remove(".attention.head_count").number(".attention.head_count", 2);
  add_rest(w);
  for (int i = 0; i < 2; ++i) {
    test::add_attention(w, i, 64, 128, 64);
    w.tensor(block(i, "attn_q_norm.weight"), {32}, test::kF32).tensor(block(i, "attn_k_norm.weight"), {32}, test::kF32);
  }
  const ReadModel read = read_model_of(w);
  ASSERT_TRUE(read.model);
  EXPECT_EQ(read.attention(0).head_dim, 32);
  EXPECT_TRUE(read.attention(0).qk_norm);
}

// Falcon 7B: 71 heads of 64 share one head of K and V: the fused matrix has 71 x 64 + 2 x 64 rows.
TEST(GgufAttention, SplitsAFusedMatrix) {
  GgufWriter w("falcon");
  w.number(".block_count", 1).number(".context_length", 2048).number(".embedding_length", 4544);
  w.number(".feed_forward_length", 18176).number(".attention.head_count", 71).number(".attention.head_count_kv", 1);
  w.tensor("token_embd.weight", {4544, 65024});
  w.tensor("blk.0.attn_qkv.weight", {4544, 4672}).tensor("blk.0.attn_output.weight", {4544, 4544});
  w.tensor("blk.0.attn_norm.weight", {4544}, test::kF32).tensor("blk.0.attn_norm.bias", {4544}, test::kF32);
  w.tensor("blk.0.ffn_up.weight", {4544, 18176}).tensor("blk.0.ffn_down.weight", {18176, 4544});
  const ReadModel read = read_model_of(w);
  ASSERT_TRUE(read.model) << read.faults;
  EXPECT_EQ(read.warnings, "");
  EXPECT_EQ(read.attention(0).heads, 71);
  EXPECT_EQ(read.attention(0).kv_heads, 1);
  EXPECT_EQ(read.attention(0).head_dim, 64);
  EXPECT_FALSE(read.mlp(0).gated);
  EXPECT_EQ(read.layer(0).norms, 1);
}

// Qwen3-Next: Q twice as wide as its heads, because each carries a gate.
TEST(GgufAttention, SeesAGateInQueriesTwiceAsWide) {
  GgufWriter w = small_keys();
  w.number(".attention.key_length", 16).number(".attention.value_length", 16);
  add_rest(w);
  for (int i = 0; i < 2; ++i) {
    test::add_attention(w, i, 64, 64, 32);
  }
  EXPECT_FALSE(read_model_of(w).attention(0).output_gate);
  GgufWriter gated = small_keys();
  gated.number(".attention.key_length", 16);
  add_rest(gated);
  for (int i = 0; i < 2; ++i) {
    gated.tensor(block(i, "attn_q.weight"), {64, 128}).tensor(block(i, "attn_k.weight"), {64, 32});
    gated.tensor(block(i, "attn_v.weight"), {64, 32}).tensor(block(i, "attn_output.weight"), {64, 64});
  }
  const ReadModel read = read_model_of(gated);
  EXPECT_TRUE(read.attention(0).output_gate);
  EXPECT_EQ(read.attention(0).heads, 4);
}

// Gemma 4's global layers have one projection for K and V, and heads of another width than those that slide.
TEST(GgufAttention, LayersThatSlideMayHaveHeadsOfTheirOwn) {
  GgufWriter w = small_keys("gemma4");
  w.number(".attention.key_length", 32).number(".attention.value_length", 32);
  w.number(".attention.key_length_swa", 16).number(".attention.value_length_swa", 16);
  w.number(".attention.sliding_window", 512).truths(".attention.sliding_window_pattern", {true, false});
  w.numbers(".attention.head_count_kv", {4, 1});
  add_rest(w);
  test::add_attention(w, 0, 64, 64, 64);
  w.tensor("blk.1.attn_q.weight", {64, 128}).tensor("blk.1.attn_k.weight", {64, 32});
  w.tensor("blk.1.attn_output.weight", {128, 64});
  const ReadModel read = read_model_of(w);
  ASSERT_TRUE(read.model) << read.faults;
  EXPECT_EQ(read.attention(0).kind, AttentionKind::sliding);
  EXPECT_EQ(read.attention(0).window, 512);
  EXPECT_EQ(read.attention(0).head_dim, 16);
  EXPECT_EQ(read.attention(0).kv_heads, 4);
  EXPECT_FALSE(read.attention(0).k_equals_v);
  EXPECT_EQ(read.attention(1).kind, AttentionKind::full);
  EXPECT_EQ(read.attention(1).head_dim, 32);
  EXPECT_EQ(read.attention(1).kv_heads, 1);
  EXPECT_TRUE(read.attention(1).k_equals_v);
}

TEST(GgufAttention, HasBiasesAndSinksWhereTheTensorsAre) {
  GgufWriter w = small_keys("gpt-oss");
  add_rest(w);
  for (int i = 0; i < 2; ++i) test::add_attention(w, i, 64, 64, 32);
  w.tensor("blk.0.attn_q.bias", {64}, test::kF32).tensor("blk.0.attn_output.bias", {64}, test::kF32);
  w.tensor("blk.0.attn_sinks.weight", {4}, test::kF32);
  const ReadModel read = read_model_of(w);
  EXPECT_TRUE(read.attention(0).qkv_bias && read.attention(0).output_bias && read.attention(0).sinks);
  EXPECT_FALSE(read.attention(1).qkv_bias || read.attention(1).output_bias || read.attention(1).sinks);
}

// DeciLM: layer 0 has no attention, layer 1 one matrix in its place.
TEST(GgufAttention, LayersMayHaveNoneOrOneMatrix) {
  GgufWriter w = small_keys("deci");
  w.remove(".attention.head_count")
      .numbers(".attention.head_count", {0, 4})
      .numbers(".attention.head_count_kv", {0, 0});
  const ReadModel keyed = read_model_of(w);
  ASSERT_TRUE(keyed.model) << keyed.faults;
  EXPECT_EQ(keyed.attention(0).kind, AttentionKind::none);
  EXPECT_EQ(keyed.attention(1).kind, AttentionKind::projection);
  add_rest(w);
  w.tensor("blk.1.attn_output.weight", {64, 64});
  const ReadModel read = read_model_of(w);
  ASSERT_TRUE(read.model) << read.faults;
  EXPECT_EQ(read.attention(0).kind, AttentionKind::none);
  EXPECT_EQ(read.attention(1).kind, AttentionKind::projection);
}

TEST(GgufAttention, RefusesWidthsBeyondTheLimit) {
  const ReadModel at = read_model_of(small_keys(), {"llama.attention.key_length=4194304"});  // 4 heads: 2^24
  EXPECT_TRUE(at.model) << at.faults;
  const ReadModel past = read_model_of(small_keys(), {"llama.attention.key_length=4194305"});
  EXPECT_THAT(past.faults, HasSubstr("a width of 16777220; the limit is 16777216"));
  EXPECT_TRUE(read_model_of(small_keys(), {"llama.vocab_size=16777216"}).model);
  EXPECT_THAT(read_model_of(small_keys(), {"llama.vocab_size=16777217"}).faults, HasSubstr("16777217"));
}

}  // namespace
}  // namespace oblea
