#include "io/gguf/recurrent.hpp"

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
using test::small_keys;
using testing::HasSubstr;

double state_of(const ReadModel& read, std::size_t layer) {
  return make_footprint(*read.model, *find_mixture("Q8_0")).layers[layer].state_per_request.value();
}

GgufWriter& with_ssm_keys(GgufWriter& w, std::uint32_t inner, std::uint32_t state, std::uint32_t steps,
                          std::uint32_t groups) {
  w.number(".ssm.conv_kernel", 4).number(".ssm.inner_size", inner).number(".ssm.state_size", state);
  return w.number(".ssm.time_step_rank", steps).number(".ssm.group_count", groups);
}

// Qwen3-Next 80B's numbers: 16 heads of K, 32 of V, each 128 wide; every fourth layer attends.
// State: 32 x 128 x 128 x 4 B, and 3 x (4096 + 2 x 2048) x 2 B of the convolution.
TEST(GgufRecurrent, GatedDeltaNetIsReadFromTheSsmKeys) {
  GgufWriter w = small_keys("qwen3next");
  w.remove(".block_count").number(".block_count", 4).number(".full_attention_interval", 4);
  with_ssm_keys(w, 4096, 128, 32, 16);
  const ReadModel read = read_model_of(w);
  ASSERT_TRUE(read.model) << read.faults;
  for (std::size_t i = 0; i < 3; ++i) {
    const Attention& a = read.attention(i);
    EXPECT_EQ(a.kind, AttentionKind::linear);
    EXPECT_EQ(a.key_heads * a.key_dim, 2048);
    EXPECT_EQ(a.value_heads, 32);
    EXPECT_EQ(a.value_dim, 128);
  }
  EXPECT_EQ(read.attention(3).kind, AttentionKind::full);
  EXPECT_EQ(state_of(read, 0), 32.0 * 128 * 128 * 4 + 3.0 * 8192 * 2);
}

TEST(GgufRecurrent, TheTensorsOfALayerTellItsKind) {
  GgufWriter w = small_keys("qwen35");
  with_ssm_keys(w, 64, 16, 4, 2);
  test::add_ends(w);
  w.tensor("blk.0.attn_qkv.weight", {64, 128}).tensor("blk.0.attn_gate.weight", {64, 64});
  w.tensor("blk.0.ssm_conv1d.weight", {4, 128}, test::kF32).tensor("blk.0.ssm_ba.weight", {64, 8});
  w.tensor("blk.0.ssm_a", {4}, test::kF32).tensor("blk.0.ssm_out.weight", {64, 64});
  test::add_mlp(w, 0, 64, 128);
  test::add_attention(w, 1, 64, 64, 32);
  test::add_mlp(w, 1, 64, 128);
  const ReadModel read = read_model_of(w);
  ASSERT_TRUE(read.model) << read.faults;
  EXPECT_EQ(read.attention(0).kind, AttentionKind::linear);
  EXPECT_EQ(read.attention(1).kind, AttentionKind::full);
}

// Kimi Linear: 32 heads of 128, the gate through 128, three convolutions.
TEST(GgufRecurrent, KimiDeltaAttentionHasHeadsOfItsOwnWidth) {
  GgufWriter w("kimi-linear");
  w.number(".block_count", 1).number(".context_length", 4096).number(".embedding_length", 2304);
  w.number(".attention.head_count", 32).number(".kda.head_dim", 128).number(".ssm.conv_kernel", 4);
  w.tensor("token_embd.weight", {2304, 100});
  for (const char* name : {"attn_q", "attn_k", "attn_v"}) w.tensor(block(0, name) + ".weight", {2304, 4096});
  w.tensor("blk.0.ssm_conv1d_q.weight", {4, 1, 4096}, test::kF32).tensor("blk.0.ssm_f_a.weight", {2304, 128});
  w.tensor("blk.0.ssm_f_b.weight", {128, 4096}).tensor("blk.0.ssm_g_a.weight", {2304, 128});
  w.tensor("blk.0.ssm_g_b.weight", {128, 4096}).tensor("blk.0.attn_output.weight", {4096, 2304});
  test::add_mlp(w, 0, 2304, 9216);
  const ReadModel read = read_model_of(w);
  ASSERT_TRUE(read.model) << read.faults;
  EXPECT_EQ(read.attention(0).kind, AttentionKind::linear);
  EXPECT_EQ(read.attention(0).value_heads, 32);
  EXPECT_EQ(read.attention(0).key_dim, 128);
  EXPECT_EQ(read.attention(0).gate_rank, 128);
  EXPECT_FALSE(read.attention(0).output_gate);
  EXPECT_EQ(state_of(read, 0), 32.0 * 128 * 128 * 4 + 3.0 * 3 * 4096 * 2);
}

// Mamba 2 (Nemotron H): inner 64 in 4 heads of 16, state 32, 2 groups: 64 x 32 x 4 B and 3 x (64 + 2 x 2 x 32) x 2 B.
TEST(GgufRecurrent, NemotronsLayersAreMambaAttentionOrFeedForward) {
  GgufWriter w = small_keys("nemotron_h");
  w.remove(".block_count").number(".block_count", 3).remove(".feed_forward_length");
  w.numbers(".feed_forward_length", {0, 0, 128}).numbers(".attention.head_count_kv", {0, 2, 0});
  with_ssm_keys(w, 64, 32, 4, 2);
  const ReadModel keyed = read_model_of(w);
  ASSERT_TRUE(keyed.model) << keyed.faults;
  GgufWriter with = w;
  test::add_ends(with);
  with.tensor("blk.0.ssm_in.weight", {64, 64 + 64 + 128 + 4}).tensor("blk.0.ssm_out.weight", {64, 64});
  with.tensor("blk.0.ssm_conv1d.weight", {4, 192}, test::kF32);
  test::add_attention(with, 1, 64, 64, 32);
  with.tensor("blk.2.ffn_up.weight", {64, 128}).tensor("blk.2.ffn_down.weight", {128, 64});
  const ReadModel read = read_model_of(with);
  ASSERT_TRUE(read.model) << read.faults;
  for (const ReadModel* model : {&keyed, &read}) {
    EXPECT_EQ(model->attention(0).kind, AttentionKind::ssm);
    EXPECT_EQ(model->mlp(0).kind, MlpKind::none);
    EXPECT_EQ(model->attention(1).kind, AttentionKind::full);
    EXPECT_EQ(model->mlp(1).kind, MlpKind::none);
    EXPECT_EQ(model->attention(2).kind, AttentionKind::none);
    EXPECT_EQ(model->mlp(2).kind, MlpKind::dense);
    EXPECT_FALSE(model->mlp(2).gated);
    EXPECT_EQ(state_of(*model, 0), 64.0 * 32 * 4 + 3.0 * 192 * 2);
  }
}

// Mamba 1: inner 128, state 16, step through 4: 128 x 16 x 4 B and 3 x 128 x 2 B.
TEST(GgufRecurrent, TheFirstMambaHasNoHeads) {
  GgufWriter w("mamba");
  w.number(".block_count", 1)
      .number(".context_length", 4096)
      .number(".embedding_length", 64)
      .number(".vocab_size", 100);
  w.number(".feed_forward_length", 0).number(".attention.head_count", 0);
  w.number(".ssm.conv_kernel", 4).number(".ssm.inner_size", 128).number(".ssm.state_size", 16);
  w.number(".ssm.time_step_rank", 4);
  const ReadModel read = read_model_of(w);
  ASSERT_TRUE(read.model) << read.faults;
  EXPECT_EQ(read.attention(0).kind, AttentionKind::ssm);
  EXPECT_EQ(read.attention(0).dt_rank, 4);
  EXPECT_EQ(read.mlp(0).kind, MlpKind::none);
  EXPECT_EQ(state_of(read, 0), 128.0 * 16 * 4 + 3.0 * 128 * 2);
}

TEST(GgufRecurrent, FalconH1HasBothInOneLayer) {
  GgufWriter w = small_keys("falcon-h1");
  w.remove(".block_count").number(".block_count", 1);
  with_ssm_keys(w, 64, 32, 4, 1);
  test::add_ends(w);
  test::add_attention(w, 0, 64, 64, 32);
  w.tensor("blk.0.ssm_in.weight", {64, 196}).tensor("blk.0.ssm_out.weight", {64, 64});
  test::add_mlp(w, 0, 64, 128);
  const ReadModel read = read_model_of(w);
  ASSERT_TRUE(read.model) << read.faults;
  EXPECT_EQ(read.attention(0).kind, AttentionKind::full);
  EXPECT_EQ(read.layer(0).beside.kind, AttentionKind::ssm);
}

TEST(GgufRecurrent, ShortConvolutionsKeepTheirLastInputs) {
  GgufWriter w = small_keys("lfm2");
  w.numbers(".attention.head_count_kv", {0, 2}).number(".shortconv.l_cache", 3);
  const ReadModel keyed = read_model_of(w);
  ASSERT_TRUE(keyed.model) << keyed.faults;
  GgufWriter with = w;
  test::add_ends(with);
  with.tensor("blk.0.shortconv.conv.weight", {3, 64}, test::kF32).tensor("blk.0.shortconv.in_proj.weight", {64, 192});
  with.tensor("blk.0.shortconv.out_proj.weight", {64, 64});
  test::add_attention(with, 1, 64, 64, 32);
  for (int i = 0; i < 2; ++i) test::add_mlp(with, i, 64, 128);
  const ReadModel read = read_model_of(with);
  ASSERT_TRUE(read.model) << read.faults;
  for (const ReadModel* model : {&keyed, &read}) {
    EXPECT_EQ(model->attention(0).kind, AttentionKind::conv);
    EXPECT_EQ(model->attention(0).conv_kernel, 3);
    EXPECT_EQ(model->attention(0).value_dim, 64);
    EXPECT_EQ(model->attention(1).kind, AttentionKind::full);
  }
}

TEST(GgufRecurrent, RwkvKeepsAMatrixAHead) {
  GgufWriter w("rwkv7");
  w.number(".block_count", 1)
      .number(".context_length", 4096)
      .number(".embedding_length", 128)
      .number(".vocab_size", 100);
  w.number(".wkv.head_size", 64).number(".feed_forward_length", 512);
  const ReadModel read = read_model_of(w);
  ASSERT_TRUE(read.model) << read.faults;
  EXPECT_EQ(read.attention(0).kind, AttentionKind::linear);
  EXPECT_EQ(read.attention(0).value_heads, 2);
  EXPECT_GE(state_of(read, 0), 2.0 * 64 * 64 * 4);
}

TEST(GgufRecurrent, NamesWhatIsMissing) {
  GgufWriter w = small_keys("granitehybrid");
  w.numbers(".attention.head_count_kv", {0, 2}).number(".ssm.inner_size", 64);
  const std::string faults = read_model_of(w).faults;
  for (const char* key : {"ssm.state_size", "ssm.conv_kernel", "ssm.time_step_rank"}) {
    EXPECT_THAT(faults, HasSubstr(std::string("the file lacks granitehybrid.") + key));
  }
}

}  // namespace
}  // namespace oblea
