#include "io/gguf/dimensions.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/limits.hpp"
#include "support/gguf_models.hpp"

namespace oblea {
namespace {

using test::GgufWriter;
using test::read_model_of;
using test::ReadModel;
using test::small_keys;
using testing::HasSubstr;

TEST(GgufDimensions, LayersWithoutTheirKeyAreCounted) {
  GgufWriter w = small_keys();
  w.remove(".block_count");
  test::add_ends(w);
  for (int i = 0; i < 3; ++i) {
    test::add_attention(w, i, 64, 64, 64);
    test::add_mlp(w, i, 64, 128);
  }
  const ReadModel read = read_model_of(w);
  ASSERT_TRUE(read.model);
  EXPECT_EQ(read.model->layers.size(), 3u);
  EXPECT_THAT(read.warnings, HasSubstr("the file lacks llama.block_count; its tensors are of 3 layers"));
}

TEST(GgufDimensions, LayersThatPredictAreLeftOutOfAHeaderWithoutTensors) {
  GgufWriter w = small_keys("glm4moe");
  w.number(".nextn_predict_layers", 1);
  EXPECT_EQ(read_model_of(w).model->layers.size(), 1u);
}

TEST(GgufDimensions, AModelHasAtMost4096Layers) {
  const auto of = [](int layers) {
    return read_model_of(small_keys(), {"llama.block_count=" + std::to_string(layers)});
  };
  EXPECT_EQ(of(kMaxLayers).model->layers.size(), 4096u);
  EXPECT_THAT(of(kMaxLayers + 1).faults, HasSubstr("llama.block_count is 4097; the limit is 4096"));
}

TEST(GgufDimensions, TheEmbeddingCountsWhereTheKeyDisagrees) {
  GgufWriter w = small_keys();
  w.tensor("token_embd.weight", {128, 300});
  const ReadModel read = read_model_of(w);
  ASSERT_TRUE(read.model);
  EXPECT_EQ(read.model->hidden, 128);
  EXPECT_EQ(read.model->vocabulary, 300);
  EXPECT_THAT(read.warnings, HasSubstr("llama.embedding_length is 64, but token_embd.weight is 128 wide"));
}

TEST(GgufDimensions, TheVocabularyIsTheTokenizersWhereNothingElseTells) {
  GgufWriter w = small_keys();
  w.remove(".vocab_size").texts("tokenizer.ggml.tokens", 5000, "t");
  EXPECT_EQ(read_model_of(w).model->vocabulary, 5000);
}

TEST(GgufDimensions, AnUnknownVocabularyOrContextIsNamed) {
  GgufWriter w = small_keys();
  w.remove(".vocab_size").remove(".context_length");
  const ReadModel read = read_model_of(w);
  ASSERT_TRUE(read.model);
  EXPECT_EQ(read.model->vocabulary, 0);
  EXPECT_EQ(read.model->max_context, 0);
  EXPECT_THAT(read.warnings, HasSubstr("--override llama.vocab_size="));
  EXPECT_THAT(read.warnings, HasSubstr("--override llama.context_length="));
}

}  // namespace
}  // namespace oblea
