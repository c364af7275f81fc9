#include "study/planning.hpp"

#include <cstdio>

#include <gtest/gtest.h>

#include "study/build_machine.hpp"
#include "study/place.hpp"
#include "support/repository.hpp"

namespace oblea {
namespace {

const ProfileLibrary& library() { return test::repository_library(); }

ModelFootprint footprint(const char* model, const char* mixture) {
  return make_footprint(test::repository_model(model), *find_mixture(mixture), KvFormat::f16);
}

Machine machine(const char* host, std::vector<std::string> cards) {
  Scenario scenario;
  NodeSettings node;
  node.host = host;
  node.devices = std::move(cards);
  node.ram = library().hosts.at(host).ram_included ? Bytes(0) : kGiB * 64;
  scenario.cluster.nodes = {node};
  return build_machine(scenario, library()).value();
}

const char* kFrame = "epyc-7302-romed8-2t-open-frame";

EngineLoad load_of(const Machine& machine, const ModelFootprint& model, Engine engine, const Workload& workload = {}) {
  EngineSettings settings;
  settings.kind = engine;
  return engine_load(settings, model, {}, workload, layout_of(machine));
}

PlanningDevices planned_on(const Machine& machine, const ModelFootprint& model, bool with_host) {
  return planning_devices(machine, load_of(machine, model, Engine::llama_cpp), Tokens(8192), library(), with_host);
}

PlanningDevices planned(const std::vector<std::string>& cards, const ModelFootprint& model, bool with_host = true) {
  return planned_on(machine(kFrame, cards), model, with_host);
}

std::vector<std::string> names(const std::vector<PlannedSplit>& splits) {
  std::vector<std::string> list;
  for (const PlannedSplit& split : splits) list.push_back(split.name);
  return list;
}

// 16 + 12 GiB. llama.cpp keeps 552.7 MiB and buffers for four overlapping micro-batches of 512 tokens: mask 4 x 8,
// hidden vectors 4 x 2 x 16, a layer's 216 MiB, and 50.5 MiB more beside the head: 1,908 MiB of both.
TEST(Planning, DevicesHaveWhatTheEngineLeaves) {
  const PlanningDevices planning =
      planned({"rtx-4070-ti-super", "rtx-4070-super"}, footprint("llama-3.3-70b", "Q4_K_M"));
  EXPECT_EQ(planning.accelerators, 2u);
  EXPECT_DOUBLE_EQ(planning.installed() / kGiB, 28);
  EXPECT_NEAR(planning.usable() / kGiB, 28 - 1907.9 / 1024, 0.001);
}

TEST(Planning, TheHostComesLastAndOnlyWhereItIsWanted) {
  const ModelFootprint model = footprint("llama-3.1-8b", "Q4_K_M");
  const PlanningDevices with = planned({"rtx-3090"}, model);
  ASSERT_EQ(with.placement.size(), 2u);
  EXPECT_TRUE(with.placement[1].is_cpu);
  EXPECT_EQ(with.placement[1].capacity, kGiB * 64);
  EXPECT_EQ(with.cards().size(), 1u);
  EXPECT_EQ(planned({"rtx-3090"}, model, false).placement.size(), 1u);
}

TEST(Planning, EqualDevicesAreNumberedAndASingleOneIsNot) {
  const ModelFootprint model = footprint("llama-3.1-8b", "Q4_K_M");
  EXPECT_TRUE(planned({"rtx-3090", "rtx-3090"}, model).placement[1].name.ends_with("#2"));
  EXPECT_EQ(planned({"rtx-3090"}, model).placement[0].name.find('#'), std::string::npos);
}

// A Mac Studio M1 Max: 64 GiB, of which the accelerator gets its fraction.
TEST(Planning, ASocHasAShareOfItsBoxesRam) {
  Machine mac = machine("mac-studio-m1-max", {});
  const Device& soc = *mac.boxes[0].devices[0];
  const ModelFootprint model = footprint("llama-3.1-8b", "Q4_K_M");
  const PlanningDevices full = planned_on(mac, model, false);
  EXPECT_EQ(full.placement[0].capacity, accelerator_memory(soc));
  mac.boxes[0].ram_bytes = kGiB * 32;
  const PlanningDevices less = planned_on(mac, model, false);
  EXPECT_EQ(less.placement[0].capacity, kGiB * 32 * value_or(soc.usable_memory_fraction, 1.0));
}

TEST(Planning, FourCardsAreSplitByLayersByTensorsAndByBoth) {
  const ModelFootprint model = footprint("llama-3.3-70b", "Q4_K_M");
  const PlanningDevices planning = planned({"rtx-3090", "rtx-3090", "rtx-3090", "rtx-3090"}, model);
  const CacheDemand demand{.context = Tokens(8192), .concurrency = 1, .rules = {}};
  EXPECT_EQ(names(plan_splits(model, demand, planning, SplitWish::automatic)),
            (std::vector<std::string>{"layer split", "tensor parallel over 4", "tensor parallel over 2, 2 stages"}))
      << "it fits on the cards, so the host is not needed";
  for (const std::string& name : names(plan_splits(model, demand, planning, SplitWish::tensor)))
    EXPECT_TRUE(name.starts_with("tensor")) << name;
}

// 39.6 GiB on one card of 23.2: the rest of the layers goes to the host.
TEST(Planning, WhatDoesNotFitOnACardMayGoToTheHost) {
  const ModelFootprint model = footprint("llama-3.3-70b", "Q4_K_M");
  const auto splits = plan_splits(model, {.context = Tokens(2048), .concurrency = 1, .rules = {}},
                                  planned({"rtx-3090"}, model), SplitWish::automatic);
  ASSERT_EQ(splits.size(), 2u);
  EXPECT_EQ(splits[0].name, "one device");
  EXPECT_FALSE(fits(splits[0].answer));
  EXPECT_TRUE(splits[1].uses_host);
  EXPECT_TRUE(fits(splits[1].answer));
  EXPECT_TRUE(splits[1].name.ends_with("of 80 layers on the host")) << splits[1].name;
}

TEST(Planning, OfAModelWithExpertsTheExpertsGoFirst) {
  const ModelFootprint model = footprint("qwen3-30b-a3b", "Q8_0");
  const auto splits = plan_splits(model, {.context = Tokens(4096), .concurrency = 1, .rules = {}},
                                  planned({"rtx-3090"}, model), SplitWish::offload);
  ASSERT_FALSE(splits.empty());
  EXPECT_TRUE(splits[0].name.starts_with("experts of ")) << splits[0].name;
}

TEST(Planning, TheUsefulContextEndsWhereTheModelEnds) {
  Scenario scenario;
  scenario.model.max_context = 131072;
  Placement placement;
  placement.context_max = Tokens(1757742);
  EXPECT_EQ(useful_context(placement, scenario), Tokens(131072));
  placement.context_max = Tokens(6000);
  EXPECT_EQ(useful_context(placement, scenario), Tokens(6000));
  placement.context_max = Tokens(300000);
  scenario.workload.context = Tokens(200000);
  EXPECT_EQ(useful_context(placement, scenario), Tokens(200000))
      << "the user asked for more than the model was made for";
}

// Two neighbouring numbers have no number between them: the search for the least slowest stage once looked for it for
// ever.
TEST(Planning, EqualCardsAndAVllmModelArePlannedInNoTime) {
  const ModelFootprint model = footprint("gpt-oss-120b", "MXFP4");
  const Machine box = machine(kFrame, {"a100-pcie-40", "a100-pcie-40", "a100-pcie-40", "a100-pcie-40"});
  Workload workload;
  workload.users = 8;
  workload.context = Tokens(1231);
  const EngineLoad load = load_of(box, model, Engine::vllm, workload);
  const PlanningDevices planning = planning_devices(box, load, workload.context, library(), false);
  const auto splits = plan_splits(model, cache_demand(workload, load), planning, SplitWish::layer);
  ASSERT_EQ(splits.size(), 1u);
  EXPECT_TRUE(fits(splits[0].answer));
}

TEST(Planning, ASplitIsToldInLayers) {
  const ModelFootprint model = footprint("llama-3.3-70b", "Q4_K_M");
  const PlanningDevices planning = planned({"rtx-3090", "rtx-3090"}, model);
  const auto splits =
      plan_splits(model, {.context = Tokens(4096), .concurrency = 1, .rules = {}}, planning, SplitWish::layer);
  int first = 0, second = 0;
  ASSERT_EQ(std::sscanf(split_words(*placement_of(splits[0].answer), planning).c_str(), "layer split, %d + %d layers",
                        &first, &second),
            2);
  EXPECT_EQ(first + second, 80);
}

// Case A19: a 16 GiB runner without a card, and a context of 131,072 tokens reserved at the start: 14 GiB of cache.
TEST(PlanningDevices, ABoxWithoutCardsComputesOnItsProcessor) {
  const ScenarioSetting box{"cluster",
                            R"({"nodes": [{"host": "am4-b550-ryzen-5600", "devices": [], "ram": "16 GiB"}]})", "test"};
  const auto placed = [&](const char* context) {
    return place_scenario(test::scenario_of({{"model.id", "qwen3-1.7b", "test"},
                                             {"model.quantisation", "Q4_K_M", "test"},
                                             {"workload.context", context, "test"},
                                             box}),
                          test::repository_library(), test::repository_timing());
  };
  const Result<Report> whole = placed("131072");
  ASSERT_TRUE(whole);
  EXPECT_EQ(test::value_of(whole->metrics, "kv_gib"), 14.0);
  EXPECT_NE(test::find_verdict(whole->verdicts, "does-not-fit"), nullptr);
  const Result<Report> small = placed("8192");
  ASSERT_TRUE(small);
  EXPECT_NE(test::find_verdict(small->verdicts, "fits"), nullptr);
  EXPECT_GT(test::value_of(small->metrics, "decode_tokens_per_s"), 1);
  ASSERT_EQ(small->launch.size(), 1u);
  EXPECT_NE(small->launch[0].command.find("-ngl 0"), std::string::npos);
}

}  // namespace
}  // namespace oblea
