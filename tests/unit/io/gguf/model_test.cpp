#include "io/gguf/model.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "llm/footprint.hpp"
#include "llm/parameters.hpp"
#include "support/gguf_models.hpp"
#include "support/temporary_folder.hpp"

namespace oblea {
namespace {

using test::block;
using test::GgufWriter;
using test::read_model_of;
using test::ReadModel;
using test::small_keys;
using testing::HasSubstr;

// Llama 3.1 8B as llama.cpp converts it: 8,030,261,248 weights (Meta's safetensors index), and 64 rotary factors.
GgufWriter llama_8b() {
  GgufWriter w("llama");
  w.text("general.name", "Llama 3.1 8B").number("general.file_type", 15).number(".block_count", 32);
  w.number(".context_length", 131072).number(".embedding_length", 4096).number(".feed_forward_length", 14336);
  w.number(".attention.head_count", 32).number(".attention.head_count_kv", 8).number(".vocab_size", 128256);
  w.tensor("token_embd.weight", {4096, 128256}, test::kQ4_K).tensor("output.weight", {4096, 128256}, test::kQ6_K);
  w.tensor("output_norm.weight", {4096}, test::kF32).tensor("rope_freqs.weight", {64}, test::kF32);
  for (int i = 0; i < 32; ++i) {
    w.tensor(block(i, "attn_norm.weight"), {4096}, test::kF32).tensor(block(i, "ffn_norm.weight"), {4096}, test::kF32);
    w.tensor(block(i, "attn_q.weight"), {4096, 4096}, test::kQ4_K);
    w.tensor(block(i, "attn_k.weight"), {4096, 1024}, test::kQ4_K);
    w.tensor(block(i, "attn_v.weight"), {4096, 1024}, test::kQ6_K);
    w.tensor(block(i, "attn_output.weight"), {4096, 4096}, test::kQ4_K);
    w.tensor(block(i, "ffn_gate.weight"), {4096, 14336}, test::kQ4_K);
    w.tensor(block(i, "ffn_up.weight"), {4096, 14336}, test::kQ4_K);
    w.tensor(block(i, "ffn_down.weight"), {14336, 4096}, test::kQ6_K);
  }
  return w;
}

TEST(GgufModel, OfLlama8bHasThePublishedCountAndTheFilesBytes) {
  test::TemporaryFolder folder;
  const std::string path = llama_8b().write(folder.path("Llama-3.1-8B Q4_K_M.gguf"));
  Diagnostics warnings;
  const Result<ModelSpec> model = read_gguf_model(path, {}, warnings);
  ASSERT_TRUE(model) << print_diagnostics(model.error());
  EXPECT_EQ(print_diagnostics(warnings), "");
  EXPECT_EQ(total_parameters(*model), 8'030'261'248);
  EXPECT_EQ(model->id, "llama-3.1-8b-q4_k_m");
  EXPECT_EQ(model->name, "Llama 3.1 8B");
  EXPECT_EQ(model->family, "llama");
  EXPECT_EQ(model->max_context, 131072);
  EXPECT_EQ(model->source, "GGUF v3 header of Llama-3.1-8B Q4_K_M.gguf: 8030261312 weights in 292 tensors");
  EXPECT_EQ(model->confidence, "datasheet");
  EXPECT_EQ(model->date.size(), 10u);
  ASSERT_TRUE(model->stored);
  EXPECT_EQ(model->stored->label, "Q4_K_M");
  EXPECT_FALSE(model->tied_embeddings);
  // Every tensor is a whole number of 32 bytes, so the file is header and weights.
  EXPECT_EQ(model->stored->total().value(), static_cast<double>(llama_8b().data_bytes()));
  const ModelFootprint footprint = make_footprint(*model, *find_mixture(kStoredMixture));
  EXPECT_EQ(footprint.weights().value(), static_cast<double>(llama_8b().data_bytes()));
  EXPECT_EQ(kv_bytes(footprint.layers[0], Tokens(1)).value(), 2 * 8 * 128 * 2);
}

TEST(GgufModel, OfAnArchitectureThatNobodyKnowsIsReadByItsTensors) {
  GgufWriter w = small_keys("brandnew");
  w.number(".attention.head_count_kv", 2).number(".expert_used_count", 2);
  test::add_ends(w);
  test::add_attention(w, 0, 64, 64, 32);
  test::add_mlp(w, 0, 64, 128);
  test::add_attention(w, 1, 64, 64, 32);
  test::add_experts(w, 1, 64, 32, 8);
  const ReadModel read = read_model_of(w);
  ASSERT_TRUE(read.model) << read.faults;
  EXPECT_EQ(read.warnings, "");
  EXPECT_EQ(read.attention(0).kv_heads, 2);
  EXPECT_EQ(read.mlp(0).kind, MlpKind::dense);
  EXPECT_EQ(read.mlp(1).experts, 8);
  EXPECT_TRUE(read.model->tied_embeddings);
}

TEST(GgufModel, WithoutTensorsIsGeometryAlone) {
  const ReadModel read = read_model_of(small_keys());
  ASSERT_TRUE(read.model) << read.faults;
  EXPECT_FALSE(read.model->stored);
  EXPECT_EQ(read.model->layers.size(), 2u);
  EXPECT_EQ(read.attention(1).head_dim, 16);
  EXPECT_EQ(read.attention(1).kv_heads, 4);
  EXPECT_EQ(read.mlp(1).intermediate, 128);
  EXPECT_THAT(read.warnings, HasSubstr("holds no tensors"));
}

TEST(GgufModel, NamesEveryKeyThatIsMissingAndHowToGiveIt) {
  const ReadModel read = read_model_of(GgufWriter("llama"));
  ASSERT_FALSE(read.model);
  EXPECT_THAT(read.faults, HasSubstr("the header is whole (GGUF v3, llama"));
  for (const char* key : {"llama.block_count", "llama.embedding_length", "llama.attention.head_count"}) {
    EXPECT_THAT(read.faults, HasSubstr(std::string("the file lacks ") + key));
    EXPECT_THAT(read.faults, HasSubstr(std::string("--override ") + key + "="));
  }
  const ReadModel none = read_model_of(GgufWriter("llama").remove("general.architecture"));
  EXPECT_THAT(none.faults, HasSubstr("the file lacks general.architecture"));
}

TEST(GgufModel, TakesOverridesForWhatIsMissingOrWrong) {
  GgufWriter w = small_keys();
  w.remove(".attention.head_count").remove(".feed_forward_length");
  EXPECT_THAT(read_model_of(w).faults, HasSubstr("llama.feed_forward_length"));
  const ReadModel read = read_model_of(w, {"llama.attention.head_count=[8, 4]", "llama.feed_forward_length=256",
                                           "llama.context_length=1024", "general.name=Mine"});
  ASSERT_TRUE(read.model) << read.faults;
  EXPECT_EQ(read.attention(0).heads, 8);
  EXPECT_EQ(read.attention(1).heads, 4);
  EXPECT_EQ(read.mlp(0).intermediate, 256);
  EXPECT_EQ(read.model->max_context, 1024);
  EXPECT_EQ(read.model->name, "Mine");
}

TEST(GgufModel, ReportsOverridesThatNothingReads) {
  const ReadModel read = read_model_of(small_keys(), {"llama.head_count=32"});
  ASSERT_TRUE(read.model);
  EXPECT_THAT(read.warnings, HasSubstr("--override llama.head_count=32: nothing asked for the key"));
}

TEST(GgufModel, RefusesAnOverrideThatIsNoCount) {
  for (const char* text : {"llama.attention.head_count=-4", "llama.attention.head_count=2.5", "llama.block_count=many",
                           "llama.attention.head_count=[4]", "llama.block_count=5000"}) {
    const ReadModel read = read_model_of(small_keys(), {text});
    ASSERT_FALSE(read.model) << text;
  }
  EXPECT_THAT(
      read_model_of(small_keys(), {"llama.attention.head_count=[4]"}).faults,
      HasSubstr("--override llama.attention.head_count=[4]: llama.attention.head_count has 1 values for 2 layers"));
}

TEST(GgufModel, WarnsWhereGeometryDoesNotExplainTheWeights) {
  GgufWriter w = small_keys();
  test::add_ends(w);
  for (int i = 0; i < 2; ++i) {
    test::add_attention(w, i, 64, 64, 64);
    test::add_mlp(w, i, 64, 128);
    w.tensor(block(i, "ffn_something_new.weight"), {64, 512});
  }
  const ReadModel read = read_model_of(w);
  ASSERT_TRUE(read.model);
  EXPECT_THAT(read.warnings, HasSubstr("bytes are those of the tensors"));
}

// 4096 layers x 3 x 2^24 x 2^24 weights are 3.5e18; the products of one layer alone still fit 64 bits.
TEST(GgufModel, RefusesMoreWeightsThanCanBeCounted) {
  const std::vector<std::string> wide{"llama.embedding_length=16777216", "llama.feed_forward_length=16777216"};
  EXPECT_TRUE(read_model_of(small_keys(), wide).model);
  std::vector<std::string> deep = wide;
  deep.push_back("llama.block_count=4096");
  EXPECT_THAT(read_model_of(small_keys(), deep).faults, HasSubstr("weights; the limit is 9e+15"));
}

TEST(GgufModel, ExpertsInMxfp4AreNative) {
  GgufWriter w = small_keys("gpt-oss");
  w.number(".expert_used_count", 4);
  test::add_ends(w);
  for (int i = 0; i < 2; ++i) {
    test::add_attention(w, i, 64, 64, 64);
    test::add_experts(w, i, 64, 64, 32, test::kMxfp4);
  }
  EXPECT_EQ(read_model_of(w).model->native_format, "MXFP4");
  EXPECT_EQ(read_model_of(small_keys()).model->native_format, "BF16");
}

}  // namespace
}  // namespace oblea
