// Questions and bug reports about config.json files, each with the right answer of its source. The geometry is in
// geometry/models.json; the sources are issues and pull requests of public projects, named at each test.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "io/json_document.hpp"
#include "llm/footprint.hpp"
#include "placement/shard.hpp"
#include "validation/geometry_models.hpp"

namespace oblea {
namespace {

using test::import_config;
using test::published_model;
using testing::HasSubstr;

ModelFootprint footprint_of(const ModelSpec& model, KvFormat kv = KvFormat::f16) {
  return make_footprint(model, *find_mixture("BF16"), kv);
}

Bytes cache_of(const ModelFootprint& footprint, double context) {
  Bytes sum;
  for (const LayerFootprint& layer : footprint.layers) sum += kv_bytes(layer, Tokens(context));
  return sum;
}

double cache_gib(const ModelSpec& model, double context, KvFormat kv = KvFormat::f16) {
  return cache_of(footprint_of(model, kv), context) / kGiB;
}

std::string refusal(const std::string& config) {
  Diagnostics warnings;
  const Result<ModelSpec> model = parse_config_model(config, "config.json", {}, warnings);
  return model ? "" : print_diagnostics(model.error());
}

int count_kind(const ModelSpec& model, AttentionKind kind) {
  return static_cast<int>(std::count_if(model.layers.begin(), model.layers.end(),
                                        [&](const Layer& layer) { return layer.attention.kind == kind; }));
}

// A02, unslothai/unsloth 4757: one old formula, wrong in both directions for six families. GLM-5's figure counts its 78
// layers and the one that predicts further tokens, and not the keys of its indexer.
TEST(ConfigCases, A02CacheOfSixFamilies) {
  EXPECT_NEAR(cache_gib(published_model("gemma-3-27b"), 131072), 10.41, 0.005);
  EXPECT_NEAR(cache_gib(published_model("qwen3.5-27b"), 262144), 16.0, 0.005);
  EXPECT_NEAR(cache_gib(published_model("deepseek-v3"), 163840), 10.72, 0.005);
  EXPECT_NEAR(cache_gib(published_model("kimi-k2.5"), 262144), 17.16, 0.005);
  EXPECT_NEAR(cache_gib(published_model("qwen3-0.6b"), 40960), 4.375, 0.005);
  const LayerFootprint layer = footprint_of(published_model("glm-5")).layers.back();
  const Bytes latent = (layer.kv_per_token - layer.index_per_token) * Tokens(202752);
  EXPECT_NEAR(79 * latent / kGiB, 17.18, 0.01);
}

// A05, ollama/ollama 16958: 25 windowed layers keep 1024 + 512 tokens, 5 global ones everything; decimal GB.
TEST(ConfigCases, A05WindowedLayersOfGemma4) {
  const ModelFootprint footprint = footprint_of(published_model("gemma-4-26b-a4b"));
  const double contexts[] = {4096, 8192, 32768, 131072};
  const double right[] = {0.40, 0.48, 0.99, 3.0};
  for (int i = 0; i < 4; ++i) {
    double bytes = 0;
    for (const LayerFootprint& layer : footprint.layers) {
      const double kept =
          layer.window > 0 ? std::min(contexts[i], static_cast<double>(layer.window) + 512) : contexts[i];
      bytes += (layer.kv_per_token * Tokens(kept)).value();
    }
    EXPECT_NEAR(bytes / 1e9, right[i], 0.006) << contexts[i];
  }
}

// A08, Andyyyy64/whichllm 124: what the config says against two calculators; a window that mainline runtimes ignore.
TEST(ConfigCases, A08WindowsOfGemma3AndMistral) {
  EXPECT_NEAR(cache_gib(published_model("gemma-3-27b"), 131072), 10.41, 0.005);
  // 2 x 8 x 128 x 2 B x 32 layers x 32768 = 4 GiB: the whole context, not 4096 tokens of it.
  EXPECT_DOUBLE_EQ(cache_gib(published_model("mistral-7b-v0.1"), 32768), 4.0);
  Diagnostics warnings;
  const std::string text =
      R"({"model_type": "mistral", "num_hidden_layers": 32, "hidden_size": 4096, "vocab_size": 32000,
    "intermediate_size": 14336, "num_attention_heads": 32, "num_key_value_heads": 8, "max_position_embeddings": 32768,
    "sliding_window": 4096})";
  ASSERT_TRUE(parse_config_model(text, "config.json", {}, warnings));
  ASSERT_EQ(warnings.size(), 1u);
  EXPECT_THAT(warnings.front().message, HasSubstr("mainline runtimes ignore it"));
}

// A09, lmstudio-ai/lmstudio-bug-tracker 1862: 16 of 64 layers keep a cache, 48 a state; the source's state keeps the
// tail of the convolution in 32 bits, ours in 16.
TEST(ConfigCases, A09HybridLinearAttention) {
  const ModelFootprint footprint = footprint_of(published_model("qwen3.5-27b"));
  EXPECT_DOUBLE_EQ(cache_of(footprint, 262144) / Bytes(1048576.0), 16384);
  Bytes state;
  for (const LayerFootprint& layer : footprint.layers) state += layer.state_per_request;
  EXPECT_NEAR(4 * state / Bytes(1048576.0) / 598.5, 1, 0.02);
}

// A13, jundot/omlx 2954: one latent head of 512 is kept by every rank. A token costs 512 / 4 and 128 / 4 elements in 30
// layers and 512 / 128 in 31: 161.4 B a layer on average; the source's 324 is with its buffers grown to twice that.
TEST(ConfigCases, A13CompressedCacheUnderTensorParallelism) {
  const ModelSpec model = published_model("deepseek-v4-pro");
  const ModelFootprint footprint = footprint_of(model);
  ASSERT_EQ(footprint.layers.size(), 61u);
  EXPECT_FALSE(check_shards(footprint, 2));
  double per_token = 0;
  for (const LayerFootprint& layer : footprint.layers) {
    EXPECT_EQ(shard_layer(layer, model.hidden, 2).kv_per_token, layer.kv_per_token);
    EXPECT_EQ(shard_layer(layer, model.hidden, 2).state_per_request, layer.state_per_request);
    per_token += layer.kv_per_token.value();
  }
  EXPECT_NEAR(2 * per_token / 61 / 324, 1, 0.01);
}

TEST(ConfigCases, A13AnOverlongListIsCutAndSaidSo) {
  Diagnostics warnings;
  ASSERT_TRUE(parse_config_model(test::published_config("deepseek-v4-pro"), "config.json", {}, warnings));
  EXPECT_THAT(print_diagnostics(warnings), HasSubstr("62 entries for 61 layers; the first 61 count"));
}

// "9.62 GiB a sequence at 1M tokens in bf16" (Latent Space, AI News of 2026-04-25): 30 x (256 + 64) B and 31 x 8 B.
TEST(ConfigCases, DeepSeekV4ProKeeps962GiBOfAMillionTokens) {
  EXPECT_NEAR(cache_gib(published_model("deepseek-v4-pro"), 1048576), 9.62, 0.005);
}

// A18, ollama/ollama 1800: 2048 x 128 x 80 x 2 x 2 x 8 = 640 MiB.
TEST(ConfigCases, A18PlainGroupedQueries) {
  const ModelSpec model = import_config(
      R"({"model_type": "llama", "num_hidden_layers": 80, "hidden_size": 8192, "num_attention_heads": 64,
          "num_key_value_heads": 8, "intermediate_size": 28672, "vocab_size": 32000, "max_position_embeddings": 4096})");
  EXPECT_DOUBLE_EQ(cache_of(footprint_of(model), 2048).value(), 640.0 * 1048576);
}

// A19, envoyproxy/ai-gateway 2400: the whole context is kept from the start, and with the weights exceeds 16 GiB.
TEST(ConfigCases, A19AReservedContextDoesNotFitTheRunner) {
  const ModelFootprint footprint = footprint_of(published_model("qwen3-1.7b"));
  EXPECT_DOUBLE_EQ(cache_of(footprint, 131072).value(), 15'032'385'536.0);
  EXPECT_GT(cache_of(footprint, 131072) + footprint.weights(), 16 * kGiB);
}

// A25, ollama/ollama 6276: 4 GiB, and 1.125 GiB in q4_0 (18 / 32 B an element).
TEST(ConfigCases, A25QuantisedCache) {
  EXPECT_DOUBLE_EQ(cache_gib(published_model("llama-3.1-8b"), 32768), 4.0);
  EXPECT_DOUBLE_EQ(cache_gib(published_model("llama-3.1-8b"), 32768, KvFormat::q4_0), 1.125);
}

// A30, ggml-org/llama.cpp 12654: 80 blocks, 31 without attention, MLPs from 0.5 to 5.25 times; an even split of the
// layers in Q6_K overloads one of two 24 GiB cards, though the whole would fit.
TEST(ConfigCases, A30UnequalLayers) {
  const ModelSpec model = published_model("nemotron-super-49b-decilm");
  ASSERT_EQ(model.layers.size(), 80u);
  EXPECT_EQ(count_kind(model, AttentionKind::none), 31);
  const ModelFootprint footprint = make_footprint(model, *find_mixture("Q6_K"));
  Bytes first = footprint.embedding, second = footprint.head;
  for (std::size_t i = 0; i < 80; ++i) (i < 40 ? first : second) += footprint.layers[i].weights;
  EXPECT_GT(std::max(first, second), 22 * kGiB);
  EXPECT_LT(first + second, 44 * kGiB);
}

// A42, Osmantic/ODS 3324: no cache from a parameter count; what is missing is named, with how to give it.
TEST(ConfigCases, A42MissingGeometryIsRefused) {
  const std::string text = R"({"model_type": "llama", "num_hidden_layers": 32, "hidden_size": 4096, "vocab_size": 32000,
                              "intermediate_size": 11008, "max_position_embeddings": 4096})";
  EXPECT_THAT(refusal(text),
              HasSubstr("the number of attention heads is missing: none of num_attention_heads, n_head"));
  EXPECT_THAT(refusal(text), HasSubstr("--override num_attention_heads=32"));
  const ModelSpec model = import_config(text, {{"num_attention_heads", "32", "--override num_attention_heads=32"}});
  EXPECT_EQ(model.layers.front().attention.head_dim, 128);
}

// H11, ai-dynamo/dynamo 3043 and 11445: state-space models write an unbounded limit as Infinity.
TEST(ConfigCases, H11BareInfinity) {
  const std::string text = R"({"time_step_limit": [0.0, Infinity], "x": [-Infinity, NaN], "s": "NaN, Infinity"})";
  EXPECT_FALSE(JsonDocument::parse(text, "config.json"));
  Diagnostics warnings;
  const auto document = JsonDocument::parse_lenient(text, "config.json", warnings);
  ASSERT_TRUE(document);
  EXPECT_EQ(warnings.size(), 3u);
  EXPECT_EQ(warnings.front().place.column, 27);
  EXPECT_EQ(document->root().find("s")->text, "NaN, Infinity");
  EXPECT_EQ(document->root().find("time_step_limit")->items.size(), 2u);
}

// H13, alvarobartt/hf-mem 26, jundot/omlx 1448: the language model stands in a block of its own.
TEST(ConfigCases, H13NestedLanguageModels) {
  EXPECT_EQ(published_model("kimi-k2.5").layers.size(), 61u);
  EXPECT_EQ(published_model("gemma-3-27b").layers.size(), 62u);
  EXPECT_EQ(published_model("voxtral-mini-3b").layers.size(), 30u);
  EXPECT_EQ(published_model("qwen3-vl-30b-a3b").layers.size(), 48u);
  EXPECT_EQ(published_model("llava-1.5-7b-hf").layers.size(), 32u);
  for (const char* block : {"text_config", "llm_config", "language_config"}) {
    const std::string text = std::string(R"({"model_type": "x_vl", "num_hidden_layers": 33, "hidden_size": 1152,
      "num_attention_heads": 16, "tie_word_embeddings": false, ")") +
                             block + R"(": {"model_type": "llama",
      "num_hidden_layers": 40, "hidden_size": 5120, "num_attention_heads": 40, "num_key_value_heads": 40,
      "intermediate_size": 13824, "vocab_size": 32000, "max_position_embeddings": 4096}})";
    EXPECT_EQ(import_config(text).layers.size(), 40u) << block;
    EXPECT_EQ(import_config(text).hidden, 5120) << block;
  }
  const std::string omni = R"({"model_type": "omni", "thinker_config": {"model_type": "omni_thinker", "text_config": {
      "model_type": "qwen2", "num_hidden_layers": 28, "hidden_size": 3584, "num_attention_heads": 28,
      "num_key_value_heads": 4, "intermediate_size": 18944, "vocab_size": 152064, "max_position_embeddings": 32768}}})";
  EXPECT_EQ(import_config(omni).layers.size(), 28u);
}

// H14, lablup/mlxcel 927, paiml/aprender 265: 2 x 12 x 12 x 64 x 2 x 8192 and 2 x 24 x 1 x 128 x 2 x 8192 bytes.
TEST(ConfigCases, H14NamesOfGpt2AndBigCode) {
  const ModelSpec gpt2 = import_config(R"({"model_type": "gpt2", "n_layer": 12, "n_head": 12, "n_embd": 768,
                                          "n_positions": 8192, "vocab_size": 50257})");
  EXPECT_DOUBLE_EQ(cache_of(footprint_of(gpt2), 8192).value(), 301'989'888.0);
  EXPECT_EQ(gpt2.layers.front().mlp.intermediate, 4 * 768);
  const ModelSpec santacoder = import_config(R"({"model_type": "gpt_bigcode", "n_layer": 24, "n_head": 16,
      "n_embd": 2048, "n_inner": 8192, "multi_query": true, "n_positions": 8192, "vocab_size": 49280})");
  EXPECT_DOUBLE_EQ(cache_of(footprint_of(santacoder), 8192).value(), 100'663'296.0);
  EXPECT_EQ(published_model("falcon-40b").layers.front().attention.kv_heads, 8);
  EXPECT_EQ(published_model("falcon-7b").layers.front().attention.kv_heads, 1);
  EXPECT_EQ(published_model("mpt-7b").layers.front().attention.kv_heads, 32);
  EXPECT_EQ(published_model("chatglm3-6b").layers.front().attention.kv_heads, 2);
  EXPECT_EQ(published_model("dbrx-132b").layers.front().attention.kv_heads, 8);
}

// H15, ml-explore/mlx-swift-lm 23: one width a layer.
TEST(ConfigCases, H15AWidthForEachLayer) {
  const ModelSpec model = import_config(R"({"model_type": "gemma3n", "text_config": {"model_type": "gemma3n_text",
      "num_hidden_layers": 4, "hidden_size": 2048, "intermediate_size": [8192, 8192, 16384, 16384],
      "num_attention_heads": 8, "num_key_value_heads": 2, "head_dim": 256, "sliding_window": 512,
      "num_kv_shared_layers": 2, "vocab_size": 262400, "max_position_embeddings": 32768,
      "layer_types": ["sliding_attention", "full_attention", "sliding_attention", "full_attention"]}})");
  EXPECT_EQ(model.layers[1].mlp.intermediate, 8192);
  EXPECT_EQ(model.layers[2].mlp.intermediate, 16384);
  // The last two read the cache of the first two.
  const ModelFootprint footprint = footprint_of(model);
  EXPECT_EQ(kv_bytes(footprint.layers[2], Tokens(4096)).value(), 0);
  EXPECT_EQ(kv_bytes(footprint.layers[1], Tokens(4096)).value(), 4096 * 2.0 * 2 * 256 * 2);
}

// H17, ai-dynamo/aiconfigurator 095f58a: no layer count, only a list of 48 mamba, 48 moe and 12 attention; an older
// file of the family has a pattern of letters.
TEST(ConfigCases, H17LayersFromAListOfKinds) {
  const ModelSpec ultra = published_model("nemotron-3-ultra-550b-a55b");
  EXPECT_EQ(ultra.layers.size(), 108u);
  EXPECT_EQ(count_kind(ultra, AttentionKind::full), 12);
  EXPECT_EQ(count_kind(ultra, AttentionKind::ssm), 48);
  const ModelSpec nano = published_model("nemotron-3-nano-30b-a3b");
  EXPECT_EQ(nano.layers.size(), 52u);
  EXPECT_EQ(count_kind(nano, AttentionKind::full), 6);
}

// H22, jranaraki/vllm-fit 35, vllm-project/vllm 24911: a file cut short, and one with another pasted in.
TEST(ConfigCases, H22TruncatedAndMergedFiles) {
  EXPECT_THAT(refusal("{\"model_type\": \"llama\",\n \"hidden_size\": 40"), HasSubstr("config.json:2:"));
  EXPECT_THAT(refusal("{\"hidden_size\": 1}\n{\"hidden_size\": 2}\n"),
              HasSubstr("config.json:2:1: error: not valid JSON"));
  EXPECT_THAT(refusal("{\n<<<<<<< HEAD\n\"hidden_size\": 1}"), HasSubstr("config.json:2:1: error: not valid JSON"));
  EXPECT_THAT(refusal("garbage"), HasSubstr("config.json:1:1: error"));
  EXPECT_THAT(refusal(""), HasSubstr("error"));
}

}  // namespace
}  // namespace oblea
