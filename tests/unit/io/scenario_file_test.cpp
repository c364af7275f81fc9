#include "io/scenario_file.hpp"

#include <gtest/gtest.h>

#include "base/limits.hpp"
#include "io/read_profiles.hpp"
#include "support/temporary_folder.hpp"

namespace oblea {
namespace {

const std::string kRoot = OBLEA_SOURCE_DIRECTORY;

const ProfileLibrary& library() {
  static const ProfileLibrary loaded = read_profile_library(kRoot + "/hardware-profiles").value();
  return loaded;
}

// Scenario files in a folder of their own.
class ScenarioFile : public ::testing::Test {
 protected:
  Result<Scenario> read(const std::string& text, const std::vector<ScenarioSetting>& settings = {}) {
    warnings.clear();
    const std::string path = text.empty() ? "" : folder.write("s.json", text);
    return read_scenario(path, settings, library(), kRoot + "/scenarios/models", warnings);
  }

  Scenario good(const std::string& text, const std::vector<ScenarioSetting>& settings = {}) {
    Result<Scenario> scenario = read(text, settings);
    if (!scenario) throw std::runtime_error(print_diagnostics(scenario.error()));
    return std::move(*scenario);
  }

  std::string faults(const std::string& text, const std::vector<ScenarioSetting>& settings = {}) {
    const Result<Scenario> scenario = read(text, settings);
    return scenario ? "" : print_diagnostics(scenario.error());
  }

  test::TemporaryFolder folder;
  Diagnostics warnings;
};

bool holds(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

TEST_F(ScenarioFile, AnEngineHasVersionAndSwitches) {
  const Scenario s = good(R"({"model": {"id": "llama-3.3-70b", "kv": "q8_0", "kv_values": "q5_1"},
    "engine": {"name": "llama.cpp", "version": "b9000", "micro_batch": 1024, "shared_cache": true, "system": "windows",
               "reserve": "512 MiB"}})");
  EXPECT_EQ(s.engine.version, "b9000");
  EXPECT_EQ(s.engine.micro_batch, 1024);
  EXPECT_TRUE(s.engine.shared_cache && s.engine.windows_os && s.engine.flash_attention);
  EXPECT_EQ(s.engine.reserve, kMiB * 512.0);
  EXPECT_EQ(s.cache().k, KvFormat::q8_0);
  EXPECT_EQ(s.cache().v, KvFormat::q5_1);
  const std::string text = R"({"model": {"id": "llama-3.3-70b"}, "engine": {"version": "newest"}})";
  EXPECT_TRUE(holds(faults(text), "is no version"));
}

TEST_F(ScenarioFile, DistributedLlamaCutsEveryLayer) {
  const Scenario s = good(R"({"model": {"id": "llama-3.3-70b"}, "engine": {"name": "distributed-llama"},
    "placement": {"split": "tensor"}})");
  EXPECT_EQ(s.engine.kind, Engine::distributed_llama);
  const std::string text = R"({"model": {"id": "llama-3.3-70b"}, "engine": {"name": "distributed-llama"},
    "placement": {"split": "layer"}})";
  EXPECT_TRUE(holds(faults(text), "cuts every layer over all nodes"));
}

TEST_F(ScenarioFile, DraftAdaptersAndPicturesAreRead) {
  const Scenario s = good(R"({"model": {"id": "llama-3.3-70b"}, "draft": {"id": "llama-3.2-1b"},
    "lora": {"count": 3, "rank": 8, "targets": "attention"}, "vision": {"image_tokens": 1024, "encode_on": "cpu"}})");
  ASSERT_TRUE(s.draft && s.lora && s.vision);
  EXPECT_EQ(s.draft->model.id, "llama-3.2-1b");
  EXPECT_EQ(s.lora->count, 3);
  EXPECT_TRUE(s.lora->attention_only && s.vision->on_host);
  const std::string text = R"({"model": {"id": "llama-3.3-70b"}, "draft": {"id": "llama-3.2-1c"}})";
  EXPECT_TRUE(holds(faults(text), "llama-3.2-1b")) << "a hint";
}

TEST_F(ScenarioFile, AModelIsAllThatItNeeds) {
  const Scenario s = good(R"({"model": {"id": "llama-3.3-70b"}})");
  EXPECT_EQ(s.model.id, "llama-3.3-70b");
  EXPECT_EQ(s.mixture, "Q4_K_M");
  EXPECT_EQ(s.kv, KvFormat::f16);
  EXPECT_EQ(s.workload.users, 1);
  EXPECT_EQ(s.workload.context, Tokens(8192));
  EXPECT_EQ(prompt_length(s.workload), Tokens(4096));
  EXPECT_EQ(s.engine.kind, Engine::llama_cpp);
  EXPECT_EQ(s.split, SplitWish::automatic);
  EXPECT_TRUE(s.cluster.nodes.empty());
  EXPECT_FALSE(s.wafers);
  EXPECT_FALSE(s.cooling);
  EXPECT_FALSE(s.size.have);
  EXPECT_EQ(s.site.circuit, "eu-16a");
  EXPECT_EQ(s.size.budget, (Money{3500, Currency::eur}));
  EXPECT_TRUE(warnings.empty()) << print_diagnostics(warnings);
}

TEST_F(ScenarioFile, TakesEveryValueOver) {
  const Scenario s = good(R"({
    "question": "q", "model": {"id": "llama-3.3-70b", "quantisation": "iq2_m", "kv": "q8_0"},
    "workload": {"users": 3, "context": 4000, "prompt": 1000, "output": 50},
    "engine": {"name": "vllm"}, "placement": {"split": "tensor"},
    "cluster": {"nodes": [{"name": "a", "host": "epyc-7302-romed8-2t-open-frame", "devices": ["rtx-3090", "rtx-4090"],
                           "nic": "nic-x520", "nic_ports": 2, "ram": "64 GiB", "psu": "psu-1600-gold", "psu_count": 2,
                           "power_limit": "280 W", "pcie_lanes": 4, "pcie_generation": 3},
                          {"host": "epyc-7302-romed8-2t-open-frame"}],
                "switch": "switch-crs309", "rdma": true},
    "site": {"circuit": "us-15a", "busy_hours_per_day": 24, "room": "30 degC", "currency": "USD"},
    "size": {"budget": "2000 USD", "quantisations": "Q5_K_M", "devices": ["rtx-3090"], "nodes_max": 1, "devices_max": 4,
             "allow_used": false, "allow_offload": false, "tokens_per_s_min": 7, "rank_by": "watts"}})");
  EXPECT_EQ(s.question, "q");
  EXPECT_EQ(s.mixture, "IQ2_M") << "in its own spelling";
  EXPECT_EQ(s.kv, KvFormat::q8_0);
  EXPECT_EQ(s.workload.users, 3);
  EXPECT_EQ(s.workload.context, Tokens(4000));
  EXPECT_EQ(s.workload.prompt, Tokens(1000));
  EXPECT_EQ(s.workload.output, Tokens(50));
  EXPECT_EQ(s.engine.kind, Engine::vllm);
  EXPECT_EQ(s.split, SplitWish::tensor);
  ASSERT_EQ(s.cluster.nodes.size(), 2u);
  const NodeSettings& node = s.cluster.nodes[0];
  EXPECT_EQ(node.name, "a");
  EXPECT_EQ(node.devices, (std::vector<std::string>{"rtx-3090", "rtx-4090"}));
  EXPECT_EQ(node.nic, "nic-x520");
  EXPECT_EQ(node.nic_ports, 2);
  EXPECT_EQ(node.ram, kGiB * 64);
  EXPECT_EQ(node.psu, "psu-1600-gold");
  EXPECT_EQ(node.psu_count, 2);
  EXPECT_EQ(node.power_limit, Watts(280));
  EXPECT_EQ(node.pcie_lanes, 4);
  EXPECT_EQ(node.pcie_generation, 3);
  EXPECT_EQ(s.cluster.nodes[1].name, "node2");
  EXPECT_EQ(s.cluster.switch_id, "switch-crs309");
  EXPECT_TRUE(s.cluster.rdma);
  EXPECT_EQ(s.site.circuit, "us-15a");
  EXPECT_EQ(s.site.busy_hours_per_day, 24);
  EXPECT_EQ(s.site.room, Celsius(30));
  EXPECT_EQ(s.site.currency, Currency::usd);
  EXPECT_EQ(s.size.budget, (Money{2000, Currency::usd}));
  EXPECT_EQ(s.size.mixtures, (std::vector<std::string>{"Q5_K_M"}));
  EXPECT_EQ(s.size.devices, (std::vector<std::string>{"rtx-3090"}));
  EXPECT_EQ(s.size.nodes_max, 1);
  EXPECT_EQ(s.size.devices_max, 4);
  EXPECT_FALSE(s.size.allow_used);
  EXPECT_FALSE(s.size.allow_offload);
  EXPECT_EQ(s.size.tokens_per_s_min, 7);
  EXPECT_EQ(s.size.rank_by, "watts");
}

TEST_F(ScenarioFile, AModelPublishedInFourBitsStaysInThem) {
  EXPECT_EQ(good(R"({"model": {"id": "gpt-oss-120b"}})").mixture, "MXFP4");
  EXPECT_EQ(good(R"({"model": {"id": "gpt-oss-120b"}, "engine": {"name": "vllm"}})").mixture, "MXFP4_BF16");
}

TEST_F(ScenarioFile, WafersBringTheirOwnEngine) {
  const Scenario s = good(R"({"model": {"id": "llama-3.3-70b"}, "wafers": {"device": "wse-3", "rule": "any_order"}})");
  ASSERT_TRUE(s.wafers);
  EXPECT_EQ(s.wafers->rule, "any_order");
  EXPECT_EQ(s.engine.kind, Engine::wafer);
  EXPECT_EQ(s.mixture, "BF16") << "as published";
}

TEST_F(ScenarioFile, ACoolingLoopNamesItsParts) {
  const Scenario s = good(R"({"model": {"id": "llama-3.3-70b"}, "cooling": {"sink": "immersion-gpu-natural",
    "radiator": "radiator-mo-ra3-360", "pump": "pump-d5", "fluid": "fluid-mineral-oil", "fan_rpm": 700, "radiators": 2}})");
  ASSERT_TRUE(s.cooling);
  EXPECT_EQ(s.cooling->fluid, "fluid-mineral-oil");
  EXPECT_EQ(s.cooling->fan_rpm, 700);
  EXPECT_EQ(s.cooling->radiators, 2);
}

// ---- layers: settings over the file over what it extends ----

TEST_F(ScenarioFile, SettingsWinOverTheFileAndTheFileOverItsBase) {
  folder.write("base.json", R"({"model": {"id": "llama-3.3-70b", "quantisation": "Q8_0"},
                                "workload": {"users": 1, "context": 1000, "output": 10}})");
  const Scenario s = good(R"({"extends": "base.json", "workload": {"users": 2, "context": 2000}})",
                          {{"workload.users", "3", "--users 3"}});
  EXPECT_EQ(s.workload.users, 3);
  EXPECT_EQ(s.workload.context, Tokens(2000));
  EXPECT_EQ(s.workload.output, Tokens(10));
  EXPECT_EQ(s.mixture, "Q8_0");
}

TEST_F(ScenarioFile, BasesAreFoundBesideTheirFile) {
  folder.write("deep/middle.json", R"({"extends": "../bottom.json", "workload": {"users": 5}})");
  folder.write("bottom.json", R"({"model": {"id": "llama-3.3-70b"}})");
  EXPECT_EQ(good(R"({"extends": "deep/middle.json"})").workload.users, 5);
}

TEST_F(ScenarioFile, AChainMayHaveSixteenFiles) {
  for (std::size_t i = 2; i <= kMaxExtends; ++i) {
    const std::string next = i == kMaxExtends ? R"({"model": {"id": "llama-3.3-70b"}})"
                                              : "{\"extends\": \"" + std::to_string(i + 1) + ".json\"}";
    folder.write(std::to_string(i) + ".json", next);
  }
  EXPECT_EQ(good(R"({"extends": "2.json"})").model.id, "llama-3.3-70b");
  folder.write("16.json", R"({"extends": "17.json"})");
  folder.write("17.json", R"({"model": {"id": "llama-3.3-70b"}})");
  EXPECT_TRUE(holds(faults(R"({"extends": "2.json"})"), "more than 16 files"));
}

TEST_F(ScenarioFile, SettingsAloneMakeAScenario) {
  const Scenario s = good(
      "", {{"model.id", "llama-3.3-70b", "--model llama-3.3-70b"}, {"size.budget", "900 EUR", "--budget 900 EUR"}});
  EXPECT_EQ(s.size.budget, (Money{900, Currency::eur}));
  EXPECT_TRUE(holds(faults(""), "scenario lacks \"model\""));
  EXPECT_TRUE(holds(faults(""), "--model"));
}

TEST_F(ScenarioFile, NullTakesBackWhatABaseSays) {
  folder.write("base.json", R"({"model": {"id": "llama-3.3-70b"}, "wafers": {"device": "wse-3"}})");
  EXPECT_FALSE(good(R"({"extends": "base.json", "wafers": null})").wafers);
}

TEST_F(ScenarioFile, TheInputHashTellsQuestionsApart) {
  const std::string text = R"({"model": {"id": "llama-3.3-70b"}})";
  const std::string hash = good(text).input_hash;
  EXPECT_EQ(hash.size(), 16u);
  EXPECT_EQ(good(text).input_hash, hash);
  EXPECT_NE(good(text, {{"workload.users", "2", "--users 2"}}).input_hash, hash);
  EXPECT_NE(good(R"({"model": {"id": "llama-3.1-8b"}})").input_hash, hash);
  folder.write("base.json", text);
  const std::string extended = good(R"({"extends": "base.json"})").input_hash;
  folder.write("base.json", R"({"model": {"id": "llama-3.1-8b"}})");
  EXPECT_NE(good(R"({"extends": "base.json"})").input_hash, extended);
}

// ---- claims ----

TEST_F(ScenarioFile, AClaimMayHaveSettingsOfItsOwn) {
  const Scenario s = good(R"({"model": {"id": "llama-3.3-70b"}, "claims": [
    {"statement": "it fits", "metric": "fits", "value": true},
    {"statement": "two bits fit", "metric": "fits", "value": false, "with": {"model.quantisation": "IQ2_M", "workload.users": 4}},
    {"statement": "about 5", "metric": "decode_tokens_per_s", "relation": "about", "value": 5, "tolerance": 0.2, "source": "guide"}]})");
  ASSERT_EQ(s.claims.size(), 3u);
  EXPECT_TRUE(s.claims[0].boolean);
  EXPECT_EQ(s.claims[0].value, 1);
  EXPECT_EQ(s.claims[0].variant, nullptr);
  ASSERT_NE(s.claims[1].variant, nullptr);
  EXPECT_EQ(s.claims[1].variant->mixture, "IQ2_M");
  EXPECT_EQ(s.claims[1].variant->workload.users, 4);
  EXPECT_EQ(s.mixture, "Q4_K_M") << "the scenario itself stays";
  EXPECT_EQ(s.claims[2].relation, Relation::about);
  EXPECT_FALSE(s.claims[2].boolean);
  EXPECT_EQ(s.claims[2].value, 5);
  EXPECT_EQ(s.claims[2].tolerance, 0.2);
}

TEST_F(ScenarioFile, AFaultOfAClaimsSettingNamesTheClaim) {
  const std::string text = faults(R"({"model": {"id": "llama-3.3-70b"}, "claims": [
    {"statement": "it fits", "metric": "fits", "value": true, "with": {"workload.users": -1, "model.quantisaton": "IQ2_M"}}]})");
  EXPECT_TRUE(holds(text, "claim \"it fits\": workload.users = -1")) << text;
  EXPECT_TRUE(holds(text, "did you mean \"quantisation\"?")) << text;
}

TEST_F(ScenarioFile, ThereMayBeTwoHundredClaimsAndNotOneMore) {
  const std::string claim = R"({"statement": "s", "metric": "fits", "value": true})";
  std::string list = claim;
  for (std::size_t i = 1; i < kMaxClaims; ++i) list += ", " + claim;
  EXPECT_EQ(good(R"({"model": {"id": "llama-3.3-70b"}, "claims": [)" + list + "]}").claims.size(), kMaxClaims);
  EXPECT_TRUE(holds(faults(R"({"model": {"id": "llama-3.3-70b"}, "claims": [)" + list + ", " + claim + "]}"),
                    "201 claims; the limit is 200"));
}

// ---- faults that no other test shows ----

TEST_F(ScenarioFile, APromptLongerThanTheContextIsAFault) {
  EXPECT_TRUE(holds(faults(R"({"model": {"id": "llama-3.3-70b"}, "workload": {"context": 100, "prompt": 101}})"),
                    "longer than \"context\""));
  EXPECT_EQ(faults(R"({"model": {"id": "llama-3.3-70b"}, "workload": {"context": 100, "prompt": 100}})"), "");
  const std::string text =
      faults(R"({"model": {"id": "llama-3.3-70b"}, "workload": {"context": "long", "prompt": 100}})");
  EXPECT_FALSE(holds(text, "longer than")) << "a stand-in is not compared";
}

TEST_F(ScenarioFile, AContextBeyondTheModelsIsAWarning) {
  good(R"({"model": {"id": "llama-3.3-70b"}, "workload": {"context": 131073}})");
  ASSERT_EQ(warnings.size(), 1u);
  EXPECT_TRUE(holds(warnings[0].message, "was made for 131072")) << warnings[0].message;
  good(R"({"model": {"id": "llama-3.3-70b"}, "workload": {"context": 131072}})");
  EXPECT_TRUE(warnings.empty());
}

TEST_F(ScenarioFile, AnEntryOfAListIsPointedAt) {
  const std::string text = faults(
      "{\"model\": {\"id\": \"llama-3.3-70b\"}, \"size\": {\"devices\": [\"rtx-3090\",\n \"rtx-309\"],\n"
      " \"quantisations\": [\"Q4_K_M\",\n  \"Q4_KM\"]}}");
  EXPECT_TRUE(holds(text, "s.json:2:2: error")) << text;
  EXPECT_TRUE(holds(text, "s.json:4:3: error")) << text;
}

TEST_F(ScenarioFile, ThereAreAtMost1024Nodes) {
  const std::string node = R"({"host": "am4-b550-ryzen-5600"})";
  std::string list = node;
  for (int i = 1; i < kMaxNodes; ++i) list += "," + node;
  EXPECT_EQ(good(R"({"model": {"id": "llama-3.3-70b"}, "cluster": {"nodes": [)" + list + "]}}").cluster.nodes.size(),
            1024u);
  EXPECT_TRUE(holds(faults(R"({"model": {"id": "llama-3.3-70b"}, "cluster": {"nodes": [)" + list + "," + node + "]}}"),
                    "1025 nodes; the limit is 1024"));
}

TEST_F(ScenarioFile, ABoxAtHandIsAFileOrStandsInTheScenario) {
  const std::string box = folder.write("box.json", R"({"host": "am4-b550-ryzen-5600", "devices": ["rtx-3090"]})");
  const Scenario from_file = good("", {{"model.id", "llama-3.3-70b", "--model"}, {"size.have", box, "--have"}});
  ASSERT_TRUE(from_file.size.have);
  EXPECT_EQ(from_file.size.have->devices, (std::vector<std::string>{"rtx-3090"}));
  EXPECT_TRUE(
      good(R"({"model": {"id": "llama-3.3-70b"}, "size": {"have": {"host": "am4-b550-ryzen-5600"}}})").size.have);
  folder.write("box.json", "{\"host\": \"am4-b550-ryzen-560\",\n \"divices\": []}");
  const std::string text = faults("", {{"model.id", "llama-3.3-70b", "--model"}, {"size.have", box, "--have"}});
  EXPECT_TRUE(holds(text, "box.json:1:10: error")) << text;
  EXPECT_TRUE(holds(text, "box.json:2:2: error")) << text;
  EXPECT_TRUE(holds(text, "did you mean \"devices\"?")) << text;
}

}  // namespace
}  // namespace oblea
