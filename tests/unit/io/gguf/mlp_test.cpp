#include "io/gguf/mlp.hpp"

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

// A model of two layers whose attention is the same and whose feed-forward is yet to be added.
GgufWriter without_mlp(const std::string& architecture = "llama") {
  GgufWriter w = small_keys(architecture);
  test::add_ends(w);
  for (int i = 0; i < 2; ++i) test::add_attention(w, i, 64, 64, 64);
  return w;
}

TEST(GgufMlp, FusedGateAndUpAreOneMatrixTwiceAsWide) {
  GgufWriter w = without_mlp("phi3");
  for (int i = 0; i < 2; ++i) {
    w.tensor(block(i, "ffn_up.weight"), {64, 256}).tensor(block(i, "ffn_down.weight"), {128, 64});
  }
  const ReadModel read = read_model_of(w);
  ASSERT_TRUE(read.model);
  EXPECT_TRUE(read.mlp(0).gated);
  EXPECT_EQ(read.mlp(0).intermediate, 128);
}

TEST(GgufMlp, WidthsMayDifferByLayerAndTensorsWin) {
  GgufWriter w = without_mlp("openelm");
  test::add_mlp(w, 0, 64, 128);
  test::add_mlp(w, 1, 64, 192);
  const ReadModel read = read_model_of(w);
  EXPECT_EQ(read.mlp(0).intermediate, 128);
  EXPECT_EQ(read.mlp(1).intermediate, 192);
  EXPECT_THAT(read.warnings, HasSubstr("openelm.feed_forward_length is 128, but the tensors of layer 1 make it 192"));
}

// Mixtral after 2024 in one tensor a layer, before in one an expert.
TEST(GgufMlp, ExpertsAreCountedInEitherLayout) {
  GgufWriter joined = without_mlp();
  GgufWriter apart = without_mlp();
  for (GgufWriter* w : {&joined, &apart}) w->number(".expert_count", 8).number(".expert_used_count", 2);
  for (int i = 0; i < 2; ++i) {
    test::add_experts(joined, i, 64, 32, 8);
    for (int e = 0; e < 8; ++e) {
      const auto name = [&](const char* part) { return block(i, part) + std::to_string(e) + ".weight"; };
      apart.tensor(name("ffn_gate."), {64, 32}).tensor(name("ffn_up."), {64, 32}).tensor(name("ffn_down."), {32, 64});
    }
  }
  for (const GgufWriter* w : {&joined, &apart}) {
    const ReadModel read = read_model_of(*w);
    ASSERT_TRUE(read.model) << read.faults;
    EXPECT_EQ(read.mlp(1).kind, MlpKind::moe);
    EXPECT_EQ(read.mlp(1).experts, 8);
    EXPECT_EQ(read.mlp(1).active_experts, 2);
    EXPECT_EQ(read.mlp(1).intermediate, 32);
    EXPECT_TRUE(read.mlp(1).gated);
    EXPECT_EQ(read.model->stored->layers[1].experts.total().value(), 3 * 8 * 64 * 32 * 2);
  }
}

TEST(GgufMlp, SharedExpertsAndADenseWidthBesideAreTold) {
  GgufWriter w = without_mlp("deepseek2");
  w.number(".expert_count", 4).number(".expert_used_count", 2).number(".expert_shared_count", 2);
  test::add_mlp(w, 0, 64, 128);  // a dense layer leads
  test::add_experts(w, 1, 64, 32, 4);
  w.tensor("blk.1.ffn_down_shexp.weight", {64, 64}).tensor("blk.1.ffn_up_shexp.weight", {64, 64});
  const ReadModel read = read_model_of(w);
  ASSERT_TRUE(read.model) << read.faults;
  EXPECT_EQ(read.mlp(0).kind, MlpKind::dense);
  EXPECT_EQ(read.mlp(1).shared_intermediate, 64);
  EXPECT_EQ(read.mlp(1).shared_experts, 2);
  EXPECT_EQ(read.mlp(1).dense_intermediate, 0);
  GgufWriter beside = without_mlp("gemma4");
  beside.number(".expert_used_count", 2);
  for (int i = 0; i < 2; ++i) {
    test::add_mlp(beside, i, 64, 128);
    test::add_experts(beside, i, 64, 32, 4);
  }
  EXPECT_EQ(read_model_of(beside).mlp(0).dense_intermediate, 128);
}

TEST(GgufMlp, ExpertsMaySeeANarrowerWidth) {
  GgufWriter w = without_mlp("nemotron_h_moe");
  w.number(".expert_used_count", 2);
  for (int i = 0; i < 2; ++i) {
    w.tensor(block(i, "ffn_down_exps.weight"), {48, 32, 8}).tensor(block(i, "ffn_up_exps.weight"), {32, 48, 8});
    w.tensor(block(i, "ffn_latent_down.weight"), {64, 32}).tensor(block(i, "ffn_latent_up.weight"), {32, 64});
  }
  const ReadModel read = read_model_of(w);
  ASSERT_TRUE(read.model) << read.faults;
  EXPECT_EQ(read.mlp(0).expert_hidden, 32);
  EXPECT_EQ(read.mlp(0).intermediate, 48);
  EXPECT_FALSE(read.mlp(0).gated);
}

TEST(GgufMlp, NamesTheCountOfExpertsATokenVisits) {
  GgufWriter w = without_mlp();
  for (int i = 0; i < 2; ++i) test::add_experts(w, i, 64, 32, 8);
  EXPECT_THAT(read_model_of(w).faults, HasSubstr("the file lacks llama.expert_used_count"));
}

// Llama 4: every second layer has experts; DeepSeek: all but the leading ones; Mixtral: all.
TEST(GgufMlp, KeysTellWhichLayersHaveExperts) {
  const auto kinds = [](const std::vector<std::string>& extra) {
    GgufWriter w = small_keys();
    w.remove(".block_count").number(".block_count", 4);
    std::vector<std::string> overrides{"llama.expert_count=16", "llama.expert_used_count=1"};
    overrides.insert(overrides.end(), extra.begin(), extra.end());
    const ReadModel read = read_model_of(w, overrides);
    std::string text;
    for (const Layer& layer : read.model.value().layers) text += layer.mlp.kind == MlpKind::moe ? 'm' : 'd';
    return text;
  };
  EXPECT_EQ(kinds({}), "mmmm");
  EXPECT_EQ(kinds({"llama.interleave_moe_layer_step=2"}), "dmdm");
  EXPECT_EQ(kinds({"llama.leading_dense_block_count=3"}), "dddm");
}

TEST(GgufMlp, OfKeysHasTheWidthOfAnExpertAndOfAllSharedOnes) {
  GgufWriter w = small_keys("qwen2moe");
  w.number(".expert_count", 60).number(".expert_used_count", 4).number(".expert_feed_forward_length", 1408);
  w.number(".expert_shared_feed_forward_length", 5632);
  const ReadModel read = read_model_of(w);
  ASSERT_TRUE(read.model);
  EXPECT_EQ(read.mlp(0).intermediate, 1408);
  EXPECT_EQ(read.mlp(0).shared_intermediate, 5632);
}

TEST(GgufMlp, KnowsTensorsOfRoutedExperts) {
  for (const char* name :
       {"ffn_down_exps.weight", "ffn_gate_up_exps.weight", "ffn_up_exps.bias", "ffn_down.7.weight"}) {
    EXPECT_TRUE(is_routed_expert(name)) << name;
  }
  for (const char* name : {"ffn_down.weight", "ffn_down_shexp.weight", "ffn_gate_inp.weight", "attn_q.weight",
                           "ffn_norm_exps.weight", "ffn_"}) {
    EXPECT_FALSE(is_routed_expert(name)) << name;
  }
}

}  // namespace
}  // namespace oblea
