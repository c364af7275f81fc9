#include "study/place.hpp"

#include <gtest/gtest.h>

#include "support/repository.hpp"

namespace oblea {
namespace {

using test::find_verdict;
using test::value_of;

// One box, by the JSON of its node.
Scenario scenario(const std::string& node, std::vector<ScenarioSetting> more = {}) {
  std::vector<ScenarioSetting> settings = {{"model.id", "llama-3.1-8b", "test"},
                                           {"cluster.nodes", "[" + node + "]", "test"}};
  settings.insert(settings.end(), more.begin(), more.end());
  return test::scenario_of(settings);
}

const char* kDesk =
    R"({"host": "am4-b550-ryzen-5600", "devices": ["rtx-3090"], "psu": "psu-850-gold", "ram": "64 GiB"})";

Scenario scenario(std::vector<ScenarioSetting> more = {}) { return scenario(kDesk, std::move(more)); }

Report placed(const Scenario& s) {
  Result<Report> report = place_scenario(s, test::repository_library(), test::repository_timing());
  if (!report) throw std::runtime_error(print_diagnostics(report.error()));
  return std::move(*report);
}

TEST(Place, AReportSaysWhatItIsAbout) {
  const Report report = placed(scenario());
  EXPECT_EQ(report.command, "place");
  EXPECT_FALSE(report.version.empty());
  EXPECT_EQ(report.profiles_hash, test::repository_library().content_hash);
  EXPECT_EQ(report.input_hash.size(), 16u);
  EXPECT_NE(report.question.find("Llama 3.1 8B"), std::string::npos) << "a scenario without a question gets one";
}

// 4.58 GiB of weights and 0.5 GiB of KV a request (8,192 x 131,072 B = 1 GiB) on a card of 24 GiB.
TEST(Place, WhatFitsHasMemorySpeedWattsAndAPrice) {
  const Report report = placed(scenario());
  EXPECT_NE(find_verdict(report.verdicts, "fits"), nullptr);
  EXPECT_DOUBLE_EQ(value_of(report.metrics, "kv_gib"), 1);
  for (const char* name : {"weights_gib", "decode_tokens_per_s", "ttft_s", "wall_decode_w", "wall_peak_w",
                           "energy_month_cost", "price", "load_s"}) {
    EXPECT_GT(value_of(report.metrics, name), 0) << name;
  }
  EXPECT_EQ(report.placement.size(), 1u);
  ASSERT_TRUE(report.bill);
}

TEST(Place, BoxesWithoutCardsComputeOnTheirProcessors) {
  const Scenario s = scenario(R"({"host": "am4-b550-ryzen-5600"}, {"host": "am4-b550-ryzen-5600"})");
  const Result<Report> report = place_scenario(s, test::repository_library(), test::repository_timing());
  ASSERT_TRUE(report);
  ASSERT_EQ(report->placement.size(), 2u);
  EXPECT_EQ(report->placement[1].device, "AMD Ryzen 5 5600 #2");
}

TEST(Place, CardsThatDoNotGoInAreAFault) {
  const Scenario s =
      scenario({{"cluster.nodes.0.devices", R"(["rtx-3090", "rtx-3090", "rtx-3090", "rtx-3090"])", "test"}});
  EXPECT_FALSE(place_scenario(s, test::repository_library(), test::repository_timing()));
}

TEST(Place, LlamaCppSplitsByLayersAndVllmByTensorsWhereThatIsFaster) {
  const auto kind = [](const char* engine) {
    const Report report =
        placed(scenario(R"({"host": "epyc-7302-romed8-2t-open-frame", "devices": ["rtx-3090", "rtx-3090"]})",
                        {{"model.id", "qwen3-32b", "test"},
                         {"model.quantisation", engine == std::string("vllm") ? "INT4" : "Q4_K_M", "test"},
                         {"engine.name", engine, "test"}}));
    return find_verdict(report.verdicts, "fits")->words;
  };
  EXPECT_NE(kind("llama.cpp").find("layer split"), std::string::npos);
  EXPECT_NE(kind("vllm").find("tensor parallel over 2"), std::string::npos);
}

TEST(Place, TheHostHelpsOnlyWhereItIsAsked) {
  const std::vector<ScenarioSetting> large = {{"model.id", "llama-3.3-70b", "test"},
                                              {"model.quantisation", "Q4_K_M", "test"}};
  EXPECT_EQ(value_of(placed(scenario(large)).metrics, "fits"), 0);
  std::vector<ScenarioSetting> asked = large;
  asked.push_back({"placement.split", "offload", "test"});
  EXPECT_EQ(value_of(placed(scenario(asked)).metrics, "fits"), 1);
}

TEST(Place, WithoutASupplyNoneIsJudgedAndThatIsSaid) {
  const Report report = placed(scenario(R"({"host": "am4-b550-ryzen-5600", "devices": ["rtx-3090"]})"));
  EXPECT_EQ(find_verdict(report.verdicts, "supply"), nullptr);
  bool said = false;
  for (const std::string& note : report.notes) said = said || note.find("names no supply") != std::string::npos;
  EXPECT_TRUE(said);
}

TEST(Place, ClaimsAreJudgedOnlyByTheWholeRun) {
  Scenario s = scenario();
  Claim claim;
  claim.statement = "it fits";
  claim.metric = "fits";
  claim.value = 1;
  s.claims = {claim};
  EXPECT_TRUE(placed(s).claims.empty());
  const Result<Report> whole = run_place(s, test::repository_library(), test::repository_timing());
  ASSERT_TRUE(whole);
  ASSERT_EQ(whole->claims.size(), 1u);
  EXPECT_EQ(whole->claims[0].outcome, ClaimOutcome::confirmed);
}

// A limit below the demand lowers watts, and the price stays.
TEST(Place, APowerLimitLowersThePeak) {
  const Report free = placed(scenario());
  const Report limited = placed(scenario({{"cluster.nodes.0.power_limit", "250 W", "test"}}));
  EXPECT_LT(value_of(limited.metrics, "wall_peak_w"), value_of(free.metrics, "wall_peak_w") - 90);
  EXPECT_EQ(value_of(limited.metrics, "price"), value_of(free.metrics, "price"));
}

}  // namespace
}  // namespace oblea
