// Questions and bug reports of other people about memory, with the answer that turned out right. The letter and number
// in a test's name are those of the case.
#include <array>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "placement/capacity.hpp"
#include "placement/companions.hpp"
#include "placement/engine_memory.hpp"
#include "placement/layer_split.hpp"
#include "placement/llama_cpp_memory.hpp"
#include "placement/offload.hpp"
#include "placement/row_split.hpp"
#include "placement/shard.hpp"
#include "placement/tensor_parallel.hpp"
#include "study/place.hpp"
#include "study/refusal_words.hpp"
#include "support/repository.hpp"
#include "unit/llm/library_models.hpp"
#include "unit/placement/footprints.hpp"

namespace oblea {
namespace {

using test::library_model;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

EngineLoad load_of(Engine kind, const ModelSpec& model, const char* version = "") {
  EngineLoad load;
  load.engine.kind = kind;
  load.engine.version = version;
  load.shape = make_shape(model);
  return load;
}

CacheDemand demand_of(const EngineLoad& load, double context) {
  return {Tokens(context), load.requests, cache_rules(load.engine), engine_buffers(load)};
}

Report placed(const std::vector<ScenarioSetting>& settings) {
  Result<Report> report =
      place_scenario(test::scenario_of(settings), test::repository_library(), test::repository_timing());
  EXPECT_TRUE(report);
  return std::move(*report);
}

ScenarioSetting cards(const std::string& list) {
  return {"cluster", R"({"nodes": [{"host": "epyc-7302-romed8-2t-open-frame", "devices": [)" + list + "]}]}", "test"};
}

// Gemma 3 4B: 34 layers, every sixth keeps the whole context, 4 KV heads of 256.
ModelSpec gemma_3_4b() {
  ModelSpec model = library_model("gemma-3-12b");
  model.layers.resize(34);
  for (Layer& layer : model.layers) {
    layer.attention.heads = 8;
    layer.attention.kv_heads = 4;
    layer.attention.head_dim = 256;
    layer.attention.v_head_dim = 0;
  }
  model.hidden = 2560;
  return model;
}

TEST(CasesMemory, A04BothCachesOfASlidingModelAreCounted) {
  const ModelSpec model = gemma_3_4b();
  const ModelFootprint footprint = make_footprint(model, *find_mixture("Q4_K_M"));
  const EngineLoad load = load_of(Engine::llama_cpp, model);
  const LayerLoads loads(footprint, demand_of(load, 131072));
  Bytes global, windowed;
  for (int i = 0; i < 34; ++i) {
    const bool slides = footprint.layers[static_cast<std::size_t>(i)].window > 0;
    (slides ? windowed : global) += loads.kv(i, i + 1, Tokens(131072));
  }
  EXPECT_EQ(global, kMiB * 2560.0);
  EXPECT_EQ(windowed, kMiB * 174.0);
  EXPECT_EQ(loads.kv(0, 34, Tokens(131072)), kMiB * 2734.0);
}

TEST(CasesMemory, A07TheSameModelTakesTwelveTimesTheCacheInAnotherRuntime) {
  const ModelSpec& model = library_model("gemma-4-31b");
  const ModelFootprint footprint = make_footprint(model, *find_mixture("BF16"));
  const LayerLoads vllm(footprint, demand_of(load_of(Engine::vllm, model, "0.19.0"), 26800));
  const LayerLoads llama(footprint, demand_of(load_of(Engine::llama_cpp, model), 26800));
  const int layers = vllm.layer_count();
  EXPECT_EQ(vllm.kv_per_token(0, layers), BytesPerToken(983040));
  EXPECT_EQ(llama.kv_per_token(0, layers), BytesPerToken(81920));
  EXPECT_NEAR((kGiB * 24.54 / vllm.kv_per_token(0, layers)).value(), 26800, 30);
}

struct VllmStart {
  bool fits = false;
  double tokens = 0;  // that the cache holds at this max_model_len
};

VllmStart start_vllm(const char* id, const char* version, Bytes card, double context) {
  const ModelSpec& model = library_model(id);
  const ModelFootprint footprint = make_footprint(model, *find_mixture("BF16"));
  const EngineLoad load = load_of(Engine::vllm, model, version);
  const CacheDemand demand = demand_of(load, context);
  const LayerLoads loads(footprint, demand);
  const Bytes usable =
      usable_memory({.capacity = card}, load, Tokens(context)) - demand.buffers.head_extra(Tokens(context));
  const Bytes left = usable - loads.weights(0, loads.layer_count());
  const double tokens = left / loads.kv_per_token(0, loads.layer_count()) / Tokens(1);
  return {tokens >= context, tokens};
}

TEST(CasesMemory, A15FitIsNotMonotonicInTheContext) {
  const auto start = [](double context) { return start_vllm("llama-3.1-8b", "0.6.4", kGiB * 23.58, context); };
  EXPECT_TRUE(start(20000).fits);
  EXPECT_NEAR(start(20000).tokens, 1952 * 16, 2048);
  EXPECT_FALSE(start(29000).fits);
  EXPECT_NEAR(start(29000).tokens, 1478 * 16, 2048);
  EXPECT_TRUE(start(35000).fits);
  EXPECT_TRUE(start(45000).fits);
}

TEST(CasesMemory, A15TheLargestContextLiesBeyondTheHole) {
  const ModelSpec& model = library_model("llama-3.1-8b");
  const ModelFootprint footprint = make_footprint(model, *find_mixture("BF16"));
  const EngineLoad load = load_of(Engine::vllm, model, "0.6.4");
  const CacheDemand demand = demand_of(load, 20000);
  const PlacementDevice card{
      "card", kGiB * 23.58, usable_memory({.capacity = kGiB * 23.58}, load, Tokens(20000)), 1e-12, 0, false};
  const PlacementAnswer answer = plan_layer_split(footprint, demand, std::span(&card, 1));
  ASSERT_TRUE(fits(answer));
  EXPECT_GT(placement_of(answer)->context_max, Tokens(45000));
}

TEST(CasesMemory, A16TheNearestContextThatFitsIsOffered) {
  const VllmStart start = start_vllm("mistral-7b", "0.5.0", kGiB * 23.58, 32768);
  EXPECT_FALSE(start.fits);
  EXPECT_NEAR(start.tokens, 30448, 2048);
}

// Four cards share a 35B: 0.83 GiB of compute buffers with flash attention, 5.23 without.
TEST(CasesMemory, A23FlashAttentionIsWorthFiveTimesTheBuffers) {
  EngineLoad load = load_of(Engine::llama_cpp, library_model("qwen3.6-35b-a3b"));
  load.engine.all_logits = false;
  load.pipeline = 4;
  const double on = 4 * (llama_cpp_buffers(load).at(Tokens(32768), false) / kGiB);
  load.engine.flash_attention = false;
  const double off = 4 * (llama_cpp_buffers(load).at(Tokens(32768), false) / kGiB);
  EXPECT_NEAR(on, 0.83, 0.25);
  EXPECT_NEAR(off, 5.23, 0.25);
  EXPECT_GT(off / on, 5);
}

TEST(CasesMemory, A23AQuantisedVWithoutFlashAttentionIsRefusedBeforeAnythingElse) {
  Diagnostics warnings;
  const Result<Scenario> scenario =
      read_scenario("",
                    {{"model", R"({"id": "llama-3.3-70b", "kv": "q8_0"})", "test"},
                     {"engine", R"({"flash_attention": false})", "test"}},
                    test::repository_library(), test::repository_path("scenarios/models"), warnings);
  ASSERT_FALSE(scenario);
  EXPECT_THAT(print_diagnostics(scenario.error()), HasSubstr("with flash attention only"));
}

TEST(CasesMemory, A26ASmallerCacheIsNotPromisedTheSameSpeed) {
  const auto notes_with = [](const char* k, const char* v) {
    const Report report = placed(
        {{"model.id", "qwen3.6-27b", ""}, {"model.kv", k, ""}, {"model.kv_values", v, ""}, cards(R"("rtx-3090")")});
    std::string text;
    for (const std::string& note : report.notes) text += note + "\n";
    return text;
  };
  EXPECT_THAT(notes_with("q4_1", "q4_0"), HasSubstr("GGML_CUDA_FA_ALL_QUANTS"));
  EXPECT_EQ(notes_with("q8_0", "q8_0").find("GGML_CUDA_FA_ALL_QUANTS"), std::string::npos);
}

// 550 MiB free; 7,600 tokens of picture are 30,400 patches and 1.85 GiB for a moment.
TEST(CasesMemory, A28APictureNeedsGigabytesForAMoment) {
  EXPECT_GT(image_bytes({}, 7600), kMiB * 550.0);
  const auto fits = [](const char* where) {
    return test::value_of(
        placed({{"model.id", "qwen3.6-27b", ""},
                {"model.quantisation", "Q5_K_M", ""},
                {"workload.context", "32768", ""},
                {"placement.split", "layer", ""},
                {"vision",
                 std::string(R"({"image_tokens": 16384, "weights": "900 MiB", "encode_on": ")") + where + "\"}", ""},
                cards(R"("rtx-3090")")})
            .metrics,
        "fits");
  };
  EXPECT_EQ(fits("gpu"), 0);
  EXPECT_EQ(fits("cpu"), 1);
}

// Projector graph 1 GiB, projector 795.9 MiB, graph 1 GiB, buffer 457 MiB, two layers 1,062 MiB: 4.26 GiB before a
// layer goes to the card; 3.2 are free.
TEST(CasesMemory, A29TheLeastThatALayerOnTheCardTakesHasTerms) {
  const Bytes fixed = kMiB * (1024 + 795.9 + 1024 + 457);
  EXPECT_NEAR((fixed + kMiB * 1062.0) / kGiB, 4.26, 0.005);
  const ModelFootprint model = test::dense_model(2, (kMiB * 1062.0).value());
  const auto on_card = [&](double free_gib) {
    const std::vector<PlacementDevice> devices{test::device("card", std::max(0.0, (kGiB * free_gib - fixed).value())),
                                               test::host(64e9)};
    const PlacementAnswer answer = plan_layer_offload(model, {}, devices);
    return fits(answer) ? layers_on_gpus(*placement_of(answer), devices) : -1;
  };
  EXPECT_EQ(on_card(3.2), 0);
  EXPECT_EQ(on_card(4.27), 1);
}

TEST(CasesMemory, A32ThirtyTwoBillionAtEightBitsHasRoomOnTwo3090) {
  const Report report = placed({{"model.id", "qwen3-32b", ""},
                                {"model.quantisation", "Q8_0", ""},
                                {"workload.context", "12288", ""},
                                cards(R"("rtx-3090", "rtx-3090")")});
  EXPECT_EQ(test::value_of(report.metrics, "fits"), 1);
  EXPECT_GT(test::value_of(report.metrics, "context_max_tokens"), 2 * 12288);
  EXPECT_GT(test::value_of(report.metrics, "memory_free_gib"), 4);
}

// Attention, head, cache, buffers and CUDA of a 35B-A3B take 2.9 GB of the card; 15 GB and more of experts stay in RAM.
TEST(CasesMemory, A34ExpertsInRamLeaveThreeGigabytesOnTheCard) {
  const ModelSpec& model = library_model("qwen3.6-35b-a3b");
  const ModelFootprint footprint = make_footprint(model, *find_mixture("Q4_K_M"));
  Bytes trunk = footprint.head, experts;
  for (const LayerFootprint& layer : footprint.layers) {
    trunk += layer.weights - layer.expert_weights;
    experts += layer.expert_weights;
  }
  const EngineLoad load = load_of(Engine::llama_cpp, model);
  Bytes card = trunk + engine_buffers(load).at(Tokens(4096), true) + request_bytes(footprint, Tokens(4096));
  for (const EngineMemoryPart& part : engine_runtime({.capacity = kGiB * 16.0, .architecture = "blackwell"}, load)) {
    card += part.bytes;
  }
  EXPECT_NEAR(card / kGB, 2.9, 0.6);
  EXPECT_GT(experts / kGB, 15);
}

TEST(CasesMemory, A34ExpertOffloadIsOfferedBeforeLayers) {
  const Report report = placed({{"model.id", "qwen3.6-35b-a3b", ""},
                                {"model.quantisation", "Q4_K_M", ""},
                                {"cluster", R"({"nodes": [{"host": "am5-b650-ryzen-7600", "devices": ["rtx-5080"],
                                                "ram": "64 GiB"}]})",
                                 ""}});
  std::vector<std::string> names;
  for (const OptionRow& row : report.options) names.push_back(row.name);
  const auto at = [&](const char* words) {
    return std::find_if(names.begin(), names.end(), [&](const std::string& n) { return n.find(words) != n.npos; });
  };
  ASSERT_NE(at("experts of"), names.end());
  EXPECT_LT(at("experts of"), at(" of 40 layers on the host"));
}

// gpt-oss 20B ran on 8 GB with --n-cpu-moe 12.
TEST(CasesMemory, A35AnEightGigabyteCardTakesATwentyBillionModelWithItsExpertsOutside) {
  const ModelSpec& model = library_model("gpt-oss-20b");
  const EngineLoad load = load_of(Engine::llama_cpp, model);
  const std::vector<PlacementDevice> devices{
      {"card", kGiB * 8.0, usable_memory({.capacity = kGiB * 8.0}, load, Tokens(4096)), 1e-12, 0, false},
      test::host(62e9)};
  const PlacementAnswer answer =
      plan_expert_offload(make_footprint(model, *find_mixture("MXFP4")), demand_of(load, 4096), devices);
  ASSERT_TRUE(fits(answer));
  EXPECT_GE(placement_of(answer)->host_expert_layers, 9);
  EXPECT_LE(placement_of(answer)->host_expert_layers, 16);
}

TEST(CasesMemory, A36WindowsSpillsWhereLessThanAGibibyteIsLeft) {
  const auto report = [](const char* system) {
    return placed({{"model.id", "qwen3-32b", ""},
                   {"model.quantisation", "Q4_K_M", ""},
                   {"workload.context", "18432", ""},
                   {"engine.system", system, ""},
                   cards(R"("rtx-3090")")});
  };
  ASSERT_LT(test::value_of(report("windows").metrics, "memory_free_gib"), 1);
  EXPECT_NE(test::find_verdict(report("windows").verdicts, "spills"), nullptr);
  EXPECT_EQ(test::find_verdict(report("linux").verdicts, "spills"), nullptr);
}

TEST(CasesMemory, A39SeventyBillionAtFourBitsAre39Point6GiB) {
  const Bytes weights = make_footprint(library_model("llama-3.1-70b"), *find_mixture("Q4_K_M")).weights();
  EXPECT_NEAR(weights / kGiB, 39.59, 0.2);
  EXPECT_GT(weights / kGB, 35 * 1.15);
}

// 23.3 GB on the card at the longest context with a naive cache; 1.6 GB with experts in host memory.
TEST(CasesMemory, A47ATinyFileIsNotATinyStart) {
  const ModelSpec& model = library_model("deepseek-v2-lite");
  const ModelFootprint footprint = make_footprint(model, *find_mixture("Q2_K"));
  EXPECT_NEAR(footprint.weights() / kGB, 6.4, 0.4);
  Bytes trunk = footprint.head;
  for (const LayerFootprint& layer : footprint.layers) trunk += layer.weights - layer.expert_weights;
  const EngineLoad load = load_of(Engine::llama_cpp, model);
  const Bytes card = trunk + engine_buffers(load).at(Tokens(4096), true) + request_bytes(footprint, Tokens(4096));
  EXPECT_LT(card / kGB, 1.6);
  EXPECT_GT(card / kGB, 0.8);
}

std::vector<PlacementDevice> vllm_cards(const ModelSpec& model, int group, std::initializer_list<double> gib) {
  EngineLoad load = load_of(Engine::vllm, model, "0.10.2");
  load.group = group;
  std::vector<PlacementDevice> devices;
  for (const double g : gib) {
    devices.push_back({"card", kGiB * g, usable_memory({.capacity = kGiB * g}, load, Tokens(4096)), 1e-12, 0, false});
  }
  return devices;
}

TEST(CasesMemory, F01TheSmallCardOfAPairDies) {
  const ModelSpec& model = library_model("mistral-7b");
  const ModelFootprint footprint = make_footprint(model, *find_mixture("BF16"));
  EngineLoad load = load_of(Engine::vllm, model, "0.10.2");
  load.group = 2;
  const auto pair = vllm_cards(model, 2, {24, 7.79});
  const PlacementAnswer shards = plan_tensor_parallel(footprint, demand_of(load, 4096), pair, 2);
  ASSERT_FALSE(fits(shards));
  EXPECT_EQ(refusal_of(shards)->tightest_device, 1);
  load.group = 1;
  EXPECT_TRUE(fits(plan_layer_split(footprint, demand_of(load, 4096), vllm_cards(model, 1, {24, 7.79}))));
}

TEST(CasesMemory, F02UnequalCardsGiveTensorParallelTwiceTheSmaller) {
  const std::vector<PlacementDevice> pair{test::device("3080", 10e9), test::device("3090", 24e9)};
  EXPECT_EQ(tensor_parallel_memory(pair, 2), Bytes(20e9));
  const ModelFootprint model = test::dense_model(30, 1e9);
  EXPECT_FALSE(fits(plan_tensor_parallel(model, {}, pair, 2)));
  EXPECT_TRUE(fits(plan_layer_split(model, {}, pair)));
}

ModelFootprint with_heads(int heads, int kv_heads) {
  ModelFootprint model = test::dense_model(2, 1e9);
  for (LayerFootprint& layer : model.layers) {
    layer.heads = heads;
    layer.kv_heads = kv_heads;
  }
  return model;
}

TEST(CasesMemory, F03HeadsMustDivideAndTheAnswerSaysWhatDoes) {
  for (const auto& [heads, devices] : {std::pair{40, 3}, {52, 3}, {40, 6}, {64, 3}, {28, 8}, {32, 5}}) {
    const auto broken = check_shards(with_heads(heads, heads), devices);
    ASSERT_TRUE(broken) << heads << " " << devices;
    EXPECT_EQ(broken->why, WhyNot::heads_do_not_divide);
  }
  EXPECT_THAT(allowed_groups(with_heads(28, 28), 28), ElementsAre(1, 2, 4, 7, 14, 28));
  const std::vector<PlacementDevice> three(3, test::device("card", 24e9));
  const PlacementAnswer answer = plan_tensor_parallel(with_heads(40, 8), {}, three, 3);
  EXPECT_EQ(refusal_short(*refusal_of(answer)),
            "40 heads do not divide over 3 devices; 1, 2, 4, 8 or 40 do, and a layer split takes any number");
}

TEST(CasesMemory, F04SevenDevicesPassOneRuleAndFailTheOther) {
  const std::vector<PlacementDevice> seven(7, test::device("card", 24e9));
  const PlacementAnswer answer = plan_tensor_parallel(with_heads(28, 4), {}, seven, 7);
  ASSERT_FALSE(fits(answer));
  EXPECT_EQ(refusal_of(answer)->why, WhyNot::kv_heads_do_not_divide);
  EXPECT_THAT(refusal_of(answer)->groups, ElementsAre(1, 2, 4, 28));
}

// Rounding down to steps of 128 rows gives one card 52.5 % of a matrix of 5,120 rows that was asked for 51.
TEST(CasesMemory, F05AnUnevenSplitIsRoundedAndOneCardGetsMore) {
  const std::array<double, 2> uneven{0.49, 0.51};
  const std::array<std::int64_t, 3> rows{5120, 17408, 1024};
  const std::vector<double> worst = worst_shares(rows, uneven, 128);
  EXPECT_GT(worst[1], 0.52);
  const std::array<double, 2> even{0.5, 0.5};
  EXPECT_DOUBLE_EQ(worst_shares(rows, even, 128)[1], 0.5);
}

TEST(CasesMemory, F07TheRatioAndItsGainAreProposed) {
  const Report report = placed({{"model.id", "qwen3-14b", ""},
                                {"model.quantisation", "Q6_K", ""},
                                {"workload.context", "24576", ""},
                                {"placement.split", "layer", ""},
                                cards(R"("rtx-4070", "rtx-3070")")});
  std::string notes;
  for (const std::string& note : report.notes) notes += note + "\n";
  EXPECT_THAT(notes, HasSubstr("(-ts "));
  EXPECT_THAT(notes, HasSubstr("an even split holds"));
  for (const DeviceRow& row : report.placement) EXPECT_LT(row.free, kGiB * 4.3) << row.device;
}

// 60 layers: four on the first device, eight on each of the seven others.
TEST(CasesMemory, F11StagesMayBeUnevenAndAddUp) {
  const ModelFootprint model = test::dense_model(60, 1e9);
  std::vector<PlacementDevice> devices{test::device("first", 4.5e9)};
  for (int i = 0; i < 7; ++i) devices.push_back(test::device("card", 8.5e9));
  const PlacementAnswer answer = plan_layer_split(model, {}, devices, UnitOrder::as_given);
  ASSERT_TRUE(fits(answer));
  std::vector<int> layers;
  for (const Stage& stage : placement_of(answer)->stages) layers.push_back(stage.layer_count);
  EXPECT_THAT(layers, ElementsAre(4, 8, 8, 8, 8, 8, 8, 8));
}

}  // namespace
}  // namespace oblea
