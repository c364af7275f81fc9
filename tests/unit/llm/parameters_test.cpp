#include "llm/parameters.hpp"

#include <gtest/gtest.h>

#include "unit/llm/library_models.hpp"

namespace oblea {
namespace {

using test::library_model;

struct CountCase {
  const char* id;
  double published;  // 1e9
};

// Published totals: safetensors indexes on huggingface.co and model cards; those of GLM-4.7 Flash, Qwen3.6 35B, Qwen3.5
// 122B, Gemma 4 and Nemotron 3 Super as llama.cpp prints them for a GGUF; Kimi K3 by its config.json.
class PublishedCount : public testing::TestWithParam<CountCase> {};

TEST_P(PublishedCount, IsReachedWithinOnePercent) {
  const double ours = static_cast<double>(total_parameters(library_model(GetParam().id))) / 1e9;
  EXPECT_NEAR(ours / GetParam().published, 1, 0.01) << ours;
}

INSTANTIATE_TEST_SUITE_P(
    Dense, PublishedCount,
    testing::Values(CountCase{"tinyllama-1.1b", 1.100}, CountCase{"llama-2-7b", 6.738},
                    CountCase{"llama-2-13b", 13.016}, CountCase{"llama-2-70b", 68.977},
                    CountCase{"llama-3.1-8b", 8.030}, CountCase{"llama-3.3-70b", 70.554},
                    CountCase{"llama-3.1-405b", 405.85}, CountCase{"llama-3.2-3b", 3.213},
                    CountCase{"mistral-7b", 7.242}, CountCase{"mistral-large-2411-123b", 122.61},
                    CountCase{"qwen2.5-7b", 7.616}, CountCase{"qwen2.5-14b", 14.770}, CountCase{"qwen2.5-32b", 32.764},
                    CountCase{"qwen2.5-72b", 72.706}, CountCase{"qwen3-0.6b", 0.596}, CountCase{"qwen3-8b", 8.191},
                    CountCase{"qwen3-32b", 32.762}, CountCase{"gemma-7b", 8.538}, CountCase{"gemma-2-9b", 9.242},
                    CountCase{"gemma-4-31b", 30.70}, CountCase{"phi-4", 14.66}, CountCase{"yi-34b", 34.389},
                    CountCase{"command-r-35b", 34.981}, CountCase{"falcon-40b", 41.84}, CountCase{"mpt-7b", 6.649},
                    CountCase{"olmo-3.1-32b", 32.233}, CountCase{"minicpm3-4b", 4.07}, CountCase{"glm-4-9b", 9.40},
                    CountCase{"llama-3.3-nemotron-super-49b", 49.87}, CountCase{"nemotron-h-56b", 56.3}),
    [](const auto& parameter) { return test::test_name(parameter.param.id); });

INSTANTIATE_TEST_SUITE_P(
    Experts, PublishedCount,
    testing::Values(CountCase{"mixtral-8x7b", 46.70}, CountCase{"mixtral-8x22b", 140.62}, CountCase{"dbrx-132b", 131.6},
                    CountCase{"qwen3-30b-a3b", 30.532}, CountCase{"qwen3-235b-a22b", 235.09},
                    CountCase{"qwen3-coder-480b-a35b", 480.15}, CountCase{"qwen3.6-35b-a3b", 34.66},
                    CountCase{"qwen3.5-122b-a10b", 122.11}, CountCase{"gemma-4-26b-a4b", 25.23},
                    CountCase{"gpt-oss-20b", 20.91}, CountCase{"gpt-oss-120b", 116.83},
                    CountCase{"deepseek-v3", 671.03}, CountCase{"kimi-k2", 1026.41}, CountCase{"kimi-k3", 2779.42},
                    CountCase{"kimi-linear-48b-a3b", 49.1}, CountCase{"glm-4.7-flash", 29.94}, CountCase{"glm-5", 744},
                    CountCase{"deepseek-v4-flash", 284}, CountCase{"minimax-m3", 428}, CountCase{"minimax-m2.5", 228.7},
                    CountCase{"nemotron-3-nano-30b-a3b", 31.58}, CountCase{"nemotron-3-super-120b-a12b", 120.67},
                    CountCase{"nemotron-3-ultra-550b-a55b", 550}),
    [](const auto& parameter) { return test::test_name(parameter.param.id); });

// Multimodal: with the vision tower, within 3 % of the checkpoint.
class MultimodalCount : public testing::TestWithParam<CountCase> {};

TEST_P(MultimodalCount, IsReachedWithinThreePercentWithTheVisionTower) {
  const ModelSpec& model = library_model(GetParam().id);
  const double ours = static_cast<double>(total_parameters(model) + model.extra_parameters) / 1e9;
  EXPECT_NEAR(ours / GetParam().published, 1, 0.03) << ours;
}

INSTANTIATE_TEST_SUITE_P(All, MultimodalCount,
                         testing::Values(CountCase{"gemma-3-12b", 12.187}, CountCase{"gemma-3-27b", 27.432},
                                         CountCase{"llava-1.5-7b", 7.063}, CountCase{"llama-3.2-11b-vision", 10.67}),
                         [](const auto& parameter) { return test::test_name(parameter.param.id); });

// A token's own weights: published "active" counts round, and some count the embedding, hence 5 %.
// Kimi K3 104.1, gpt-oss 3.61 and 5.13, Mixtral 12.9, Qwen3 235B 22, DeepSeek 37, GLM-5 40, DBRX 36.
TEST(ActiveParameters, AgreeWithThePublishedOnes) {
  const CountCase cases[] = {{"kimi-k3", 104.13},     {"gpt-oss-20b", 3.61},
                             {"gpt-oss-120b", 5.13},  {"mixtral-8x7b", 12.88},
                             {"qwen3-235b-a22b", 22}, {"deepseek-v3", 37},
                             {"glm-5", 40},           {"dbrx-132b", 36},
                             {"kimi-k2", 32},         {"nemotron-3-ultra-550b-a55b", 55}};
  for (const CountCase& c : cases) {
    EXPECT_NEAR(static_cast<double>(active_parameters(library_model(c.id))) / 1e9 / c.published, 1, 0.05) << c.id;
  }
}

// 4096 x (4096 + 2 x 1024 + 4096) + 3 x 4096 x 14336 + 2 x 4096 = 218,112,000 a layer; x 32, embedding and head
// 2 x 128256 x 4096, final norm 4096: 8,030,261,248, the count in the checkpoint's index to the last digit.
TEST(Parameters, Llama31EightBIsExact) {
  const ModelSpec& model = library_model("llama-3.1-8b");
  EXPECT_EQ(layer_parameters(model.layers.front(), model.hidden), 218'112'000);
  EXPECT_EQ(total_parameters(model), 8'030'261'248);
  EXPECT_EQ(active_parameters(model), 8'030'261'248 - 128256LL * 4096);
}

TEST(Parameters, ATiedHeadIsCountedOnceButVisitedByEveryToken) {
  const ModelSpec& model = library_model("qwen3-0.6b");
  EXPECT_EQ(head_parameters(model), 0);
  EXPECT_EQ(active_parameters(model), total_parameters(model));
}

// 3 x 3584 x 3072.
TEST(Parameters, AnExpertOfKimiK3Has33MillionWeights) {
  const ModelSpec& model = library_model("kimi-k3");
  EXPECT_EQ(expert_parameters(model.layers.back().mlp, model.hidden), 33'030'144);
}

}  // namespace
}  // namespace oblea
