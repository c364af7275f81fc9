#include "llm/footprint.hpp"

#include <gtest/gtest.h>

#include "llm/parameters.hpp"
#include "unit/llm/library_models.hpp"

namespace oblea {
namespace {

using test::library_model;

ModelFootprint footprint(const char* id, const char* mixture, KvFormat kv = KvFormat::f16) {
  return make_footprint(library_model(id), *find_mixture(mixture), kv);
}

// Bytes a token adds once every window is full: layers without a window only.
double growing_kv(const ModelFootprint& model) {
  double sum = 0;
  for (const LayerFootprint& layer : model.layers) sum += layer.window == 0 ? layer.kv_per_token.value() : 0;
  return sum;
}

struct KvCase {
  const char* id;
  double bytes;
};

// By hand: 70B 80 x 2 x 8 x 128 x 2 B; DeepSeek 61 x 576 x 2 B; Kimi K3 24 x 576 x 2 B; Qwen3.5 27B 16 x 2 x 4 x 256 x
// 2 B; gpt-oss 120B 18 full layers x 2 x 8 x 64 x 2 B; Gemma 3 10 global layers x 2 x 16 x 128 x 2 B; Gemma 4 26B 5
// global layers of 2 KV heads of 512: 5 x 2 x 2 x 512 x 2 B.
TEST(Footprint, CacheGrowsByThePublishedBytesAToken) {
  const KvCase cases[] = {{"llama-3.1-8b", 131072},
                          {"llama-3.3-70b", 327680},
                          {"llama-3.1-405b", 516096},
                          {"qwen3-0.6b", 114688},
                          {"qwen3-8b", 147456},
                          {"qwen3-32b", 262144},
                          {"qwen3-30b-a3b", 98304},
                          {"qwen3-235b-a22b", 192512},
                          {"qwen3-coder-480b-a35b", 253952},
                          {"deepseek-v3", 70272},
                          {"kimi-k2", 70272},
                          {"kimi-k3", 27648},
                          {"kimi-linear-48b-a3b", 8064},
                          {"gpt-oss-20b", 24576},
                          {"gpt-oss-120b", 36864},
                          {"qwen3.5-27b", 65536},
                          {"qwen3.5-35b-a3b", 20480},
                          {"qwen3.5-122b-a10b", 24576},
                          {"qwen3.5-397b-a17b", 30720},
                          {"mixtral-8x7b", 131072},
                          {"mixtral-8x22b", 229376},
                          {"qwen2.5-72b", 327680},
                          {"mistral-large-2411-123b", 360448},
                          {"gemma-3-27b", 81920},
                          {"gemma-4-26b-a4b", 20480},
                          {"gemma-4-31b", 81920}};
  for (const KvCase& c : cases) EXPECT_DOUBLE_EQ(growing_kv(footprint(c.id, "BF16")), c.bytes) << c.id;
}

// 34 / 32 and 18 / 32 of a byte an element: 327,680 / 2 x 1.0625 = 174,080; x 0.5625 = 92,160.
TEST(Footprint, QuantisedCacheCountsItsScales) {
  EXPECT_DOUBLE_EQ(growing_kv(footprint("llama-3.3-70b", "Q4_K_M", KvFormat::q8_0)), 174080);
  EXPECT_DOUBLE_EQ(growing_kv(footprint("llama-3.3-70b", "Q4_K_M", KvFormat::q4_0)), 92160);
  EXPECT_DOUBLE_EQ(growing_kv(footprint("llama-3.3-70b", "Q4_K_M", KvFormat::fp8)), 163840);
}

// 8,192 tokens of 70B: 2.5 GiB exactly. A part token counts as whole.
TEST(Footprint, ARequestHoldsItsContext) {
  const ModelFootprint model = footprint("llama-3.3-70b", "Q4_K_M");
  EXPECT_DOUBLE_EQ(request_bytes(model, Tokens(8192)).value(), 2.5 * 1073741824.0);
  EXPECT_DOUBLE_EQ(request_bytes(model, Tokens(0.5)).value(), 327680);
  EXPECT_DOUBLE_EQ(request_bytes(model, Tokens(0)).value(), 0);
}

// Gemma 3 27B at 32,768 tokens: 10 global layers keep all, 52 local ones 1,024: 8,192 B x (10 x 32,768 + 52 x 1,024).
TEST(Footprint, ASlidingLayerKeepsItsWindow) {
  const ModelFootprint model = footprint("gemma-3-27b", "BF16");
  EXPECT_DOUBLE_EQ(request_bytes(model, Tokens(32768)).value(), 8192.0 * (10 * 32768 + 52 * 1024));
  EXPECT_DOUBLE_EQ(kv_bytes(model.layers.front(), Tokens(1024)).value(),
                   kv_bytes(model.layers.front(), Tokens(1025)).value());
}

// Kimi K3: experts 896 x 33.03 M x 4.25 / 8 = 15.72 GB; KDA layer 16.99 GB, MLA layer 16.56 GB; a dense first layer.
TEST(Footprint, LayersOfKimiK3WeighWhatItsConfigSays) {
  const ModelFootprint model = footprint("kimi-k3", "MXFP4_BF16");
  ASSERT_EQ(model.layers.size(), 93u);
  const LayerFootprint& kda = model.layers[1];
  const LayerFootprint& mla = model.layers[3];
  EXPECT_EQ(kda.attention, AttentionKind::linear);
  EXPECT_EQ(mla.attention, AttentionKind::latent);
  EXPECT_EQ(model.layers[92].attention, AttentionKind::latent);
  EXPECT_NEAR(kda.expert_weights.value() / 1e9, 15.72, 0.005);
  EXPECT_NEAR(kda.weights.value() / 1e9, 16.99, 0.005);
  EXPECT_NEAR(mla.weights.value() / 1e9, 16.56, 0.01);
  EXPECT_NEAR(kda.expert_read.total().value() / 1e6, 17.55, 0.005);
  EXPECT_DOUBLE_EQ(mla.kv_per_token.value(), 1152);
  EXPECT_NEAR((model.embedding + model.head).value() / 1e9, 4.7, 0.01);
  EXPECT_DOUBLE_EQ(model.boundary_factor, 5.5);
}

// KDA state 96 x 128 x 128 x 4 B = 6,291,456 B, and 3 x (3 x 12,288) x 2 B = 221,184 B of convolution inputs.
TEST(Footprint, ARecurrentLayerHoldsAFixedState) {
  const LayerFootprint kda = footprint("kimi-k3", "MXFP4_BF16").layers[1];
  EXPECT_DOUBLE_EQ(kda.state_per_request.value(), 6291456.0 + 221184.0);
  EXPECT_DOUBLE_EQ(kda.kv_per_token.value(), 0);
  // Nemotron 3 Nano, Mamba 2: 64 x 64 x 128 x 4 B, and 3 x (4,096 + 2 x 8 x 128) x 2 B.
  const LayerFootprint mamba = footprint("nemotron-3-nano-30b-a3b", "BF16").layers[0];
  EXPECT_DOUBLE_EQ(mamba.state_per_request.value(), 2097152.0 + 36864.0);
}

// GLM-5: 576 x 2 B of latent, and the indexer's key of 128 in FP8 with a scale of 4 B: 1,152 + 132. With the cache in
// FP8 the key stays: 576 + 132. DeepSeek V4 Pro: 512 / 4 and 128 / 4 elements, or 512 / 128; a window of 128 x 1 KiB.
TEST(Footprint, KeysOfAnIndexerAreKeptBesideTheCache) {
  const LayerFootprint glm = footprint("glm-5", "BF16").layers.back();
  EXPECT_DOUBLE_EQ(glm.kv_per_token.value(), 1284);
  EXPECT_DOUBLE_EQ(glm.index_per_token.value(), 132);
  EXPECT_EQ(glm.attended, 2048);
  EXPECT_DOUBLE_EQ(footprint("glm-5", "BF16", KvFormat::fp8).layers.back().kv_per_token.value(), 708);
  const ModelFootprint pro = footprint("deepseek-v4-pro", "MXFP4_FP8");
  EXPECT_DOUBLE_EQ(pro.layers[2].kv_per_token.value(), 256 + 64);
  EXPECT_EQ(pro.layers[2].attended, 4096);
  EXPECT_DOUBLE_EQ(pro.layers[0].kv_per_token.value(), 8);
  EXPECT_DOUBLE_EQ(pro.layers[0].state_per_request.value(), 131072);
  // MiniMax M3: 4 x (128 + 128) x 2 B, and one key of 128 x 2 B.
  EXPECT_DOUBLE_EQ(footprint("minimax-m3", "BF16").layers.back().kv_per_token.value(), 2048 + 256);
}

// LFM2 keeps two inputs of 2048 in 16 bits; Mamba 1 (8192 wide, state 16) 8192 x 16 x 4 B and 3 x 8192 x 2 B.
TEST(Footprint, StatesOfConvolutionsAndMambaOne) {
  ModelSpec model;
  model.hidden = 2048;
  model.vocabulary = 100;
  model.layers.resize(2);
  model.layers[0].attention = {.kind = AttentionKind::conv, .value_dim = 2048, .conv_kernel = 3};
  model.layers[1].attention = {.kind = AttentionKind::ssm,
                               .key_heads = 1,
                               .key_dim = 16,
                               .value_heads = 8192,
                               .value_dim = 1,
                               .conv_kernel = 4,
                               .dt_rank = 256};
  for (Layer& layer : model.layers) layer.mlp.kind = MlpKind::none;
  const ModelFootprint print = make_footprint(model, *find_mixture("BF16"));
  EXPECT_DOUBLE_EQ(print.layers[0].state_per_request.value(), 2 * 2048 * 2);
  EXPECT_DOUBLE_EQ(print.layers[1].state_per_request.value(), 8192 * 16 * 4 + 3 * 8192 * 2);
  EXPECT_EQ(print.layers[0].kv_per_token.value() + print.layers[1].kv_per_token.value(), 0);
  model.layers[0].beside = model.layers[1].attention;
  EXPECT_DOUBLE_EQ(make_footprint(model, *find_mixture("BF16")).layers[0].state_per_request.value(),
                   2 * 2048 * 2 + 8192 * 16 * 4 + 3 * 8192 * 2);
}

// 64 heads x (128 + 128) x 2 = 32,768 a cached token; MLA absorbed 2 x 128 x (2 x 512 + 64), expanded 2 x 128 x (192 +
// 128).
TEST(Footprint, AttentionFlopsFollowTheCache) {
  EXPECT_DOUBLE_EQ(footprint("llama-3.3-70b", "Q4_K_M").layers[0].flops_per_cached_token.value(), 32768);
  EXPECT_DOUBLE_EQ(footprint("llama-3.3-70b", "Q4_K_M").layers[0].prefill_flops_per_cached_token.value(), 32768);
  const LayerFootprint mla = footprint("deepseek-v3", "FP8").layers[5];
  EXPECT_DOUBLE_EQ(mla.flops_per_cached_token.value(), 278528);
  EXPECT_DOUBLE_EQ(mla.prefill_flops_per_cached_token.value(), 81920);
  EXPECT_DOUBLE_EQ(footprint("kimi-k3", "MXFP4_BF16").layers[1].flops_per_cached_token.value(), 0);
}

// Two operations a weight that a token visits, over layers and head.
TEST(Footprint, MatrixFlopsAreTwiceTheActiveWeights) {
  for (const char* id : {"llama-3.3-70b", "gpt-oss-120b", "kimi-k3", "qwen3.5-35b-a3b", "gemma-4-26b-a4b"}) {
    const ModelSpec& model = library_model(id);
    const ModelFootprint print = footprint(id, "BF16");
    double flops = print.head_flops_per_token.value();
    for (const LayerFootprint& layer : print.layers) flops += layer.flops_per_token.value();
    EXPECT_NEAR(flops / (2.0 * static_cast<double>(active_parameters(model))), 1, 1e-6) << id;
  }
}

TEST(Footprint, ALayerIsItsTrunkAndItsExperts) {
  for (const char* id : {"llama-3.3-70b", "gpt-oss-120b", "kimi-k3", "mixtral-8x7b", "nemotron-3-nano-30b-a3b"}) {
    for (const LayerFootprint& layer : footprint(id, "Q4_K_M").layers) {
      const double experts = layer.experts * layer.expert_read.total().value();
      EXPECT_NEAR(layer.expert_weights.value(), experts, 1) << id;
      EXPECT_NEAR(layer.weights.value(), layer.trunk_read.total().value() + experts, 1) << id;
    }
  }
}

TEST(Footprint, ATiedHeadIsReadButNotHeldTwice) {
  const ModelFootprint tied = footprint("gemma-2-9b", "Q8_0");
  EXPECT_DOUBLE_EQ(tied.head.value(), tied.embedding.value());
  EXPECT_DOUBLE_EQ(tied.head_read.total().value(), tied.embedding.value());
  double layers = 0;
  for (const LayerFootprint& layer : tied.layers) layers += layer.weights.value();
  EXPECT_DOUBLE_EQ(tied.weights().value(), layers + tied.embedding.value());
}

// E (1 - (1 - k / E)^B). E 128, k 8, 2 tokens: 128 x (1 - 0.9375^2) = 15.5.
TEST(DistinctExperts, FollowUniformRouting) {
  EXPECT_DOUBLE_EQ(distinct_experts(128, 8, 2), 15.5);
  EXPECT_DOUBLE_EQ(distinct_experts(128, 8, 1), 8);
  EXPECT_DOUBLE_EQ(distinct_experts(128, 8, 0), 0);
  EXPECT_NEAR(distinct_experts(128, 8, 1e6), 128, 1e-9);
  EXPECT_DOUBLE_EQ(distinct_experts(0, 0, 5), 0);
  EXPECT_DOUBLE_EQ(distinct_experts(8, 8, 1), 8);
}

// One sequence reads 8 of 128 experts, a large batch all of them, and never more than the layer holds.
TEST(WeightRead, GrowsFromActiveToAllExperts) {
  const LayerFootprint layer = footprint("qwen3-30b-a3b", "BF16").layers[0];
  const double trunk = layer.trunk_read.total().value();
  const double expert = layer.expert_read.total().value();
  EXPECT_NEAR(weight_read(layer, 1).total().value(), trunk + 8 * expert, 1);
  EXPECT_NEAR(weight_read(layer, 1e6).total().value(), layer.weights.value(), 1);
  double previous = 0;
  for (double batch = 1; batch < 512; batch *= 2) {
    const double read = weight_read(layer, batch).total().value();
    EXPECT_GT(read, previous);
    EXPECT_LE(read, layer.weights.value());
    previous = read;
  }
}

// Seven products, two norms, two rotary, two cache writes, attention, activation, two residual additions.
TEST(Footprint, ALlamaLayerLaunchesSeventeenKernels) {
  const LayerFootprint layer = footprint("llama-3.3-70b", "Q4_K_M").layers[0];
  EXPECT_EQ(layer.kernels, 17);
  EXPECT_DOUBLE_EQ(layer.widest_matrix_rows, 28672);
  EXPECT_EQ(layer.heads, 64);
  EXPECT_EQ(layer.kv_heads, 8);
}

TEST(Footprint, NoMixtureOfAnyModelExceedsSixteenBitsAWeight) {
  const Result<std::vector<std::string>> ids = list_models(test::model_folder());
  ASSERT_TRUE(ids);
  ASSERT_GE(ids->size(), 36u);
  for (const std::string& id : *ids) {
    const double sixteen_bits = 2.0 * static_cast<double>(total_parameters(library_model(id)));
    for (const Mixture& mixture : all_mixtures()) {
      const double bytes = test::file_bytes(id, mixture.name);
      EXPECT_GT(bytes, 0) << id << " " << mixture.name;
      EXPECT_LE(bytes, sixteen_bits * 1.01) << id << " " << mixture.name;
    }
  }
}

}  // namespace
}  // namespace oblea
