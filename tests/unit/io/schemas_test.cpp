// The published schemas and the readers must agree, so that what an editor accepts is what the program takes.
#include <filesystem>
#include <set>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "io/read_profiles.hpp"
#include "io/scenario_file.hpp"
#include "io/text_file.hpp"
#include "support/json_schema.hpp"
#include "support/temporary_folder.hpp"

namespace oblea {
namespace {

using Json = nlohmann::json;
namespace fs = std::filesystem;

const std::string kRoot = OBLEA_SOURCE_DIRECTORY;

std::string schema_of(const fs::path& file) {
  const std::string folder = file.parent_path().filename().string();
  static const std::map<std::string, std::string> schemas = {
      {"devices", "device"},  {"hosts", "host"},      {"links", "link"},    {"psus", "psu"},
      {"cooling", "cooling"}, {"storage", "storage"}, {"prices", "prices"}, {"models", "model"}};
  const auto found = schemas.find(folder);
  return found == schemas.end() ? "" : found->second;
}

std::vector<std::string> profile_files() {
  std::vector<std::string> files;
  const auto paths = list_json_files(kRoot + "/hardware-profiles").value();
  for (const std::string& path : paths) {
    if (fs::path(path).parent_path().filename() != "timing") files.push_back(path);
  }
  return files;
}

std::vector<std::string> scenario_files() {
  std::vector<std::string> files;
  for (const char* folder : {"homelab", "wafer", "immersion"}) {
    const Result<std::vector<std::string>> paths = list_json_files(kRoot + "/scenarios/" + folder);
    if (paths) files.insert(files.end(), paths->begin(), paths->end());
  }
  return files;
}

const ProfileLibrary& library() {
  static const ProfileLibrary loaded = read_profile_library(kRoot + "/hardware-profiles").value();
  return loaded;
}

TEST(Schemas, EveryProfileIsValid) {
  ASSERT_GT(profile_files().size(), 200u);
  for (const std::string& path : profile_files()) {
    ASSERT_NE(schema_of(path), "") << path << " lies in a folder without a schema";
    EXPECT_EQ(test::schema_faults(schema_of(path), test::read_file(path)), "") << path;
  }
}

TEST(Schemas, EveryModelIsValid) {
  const auto paths = list_json_files(kRoot + "/scenarios/models").value();
  ASSERT_GT(paths.size(), 50u);
  for (const std::string& path : paths) EXPECT_EQ(test::schema_faults("model", test::read_file(path)), "") << path;
}

// A file with a host on top is a box that is already there, for `size --have`; every other one is a scenario.
TEST(Schemas, EveryScenarioAndMachineIsValidAndReads) {
  for (const std::string& path : scenario_files()) {
    const std::string text = test::read_file(path);
    const bool is_machine = Json::parse(text).contains("host");
    EXPECT_EQ(test::schema_faults(is_machine ? "machine" : "scenario", text), "") << path;
    const std::vector<ScenarioSetting> settings = {{"model.id", "llama-3.3-70b", "--model"},
                                                   {"size.have", path, "--have"}};
    Diagnostics warnings;
    const Result<Scenario> scenario =
        is_machine ? read_scenario("", settings, library(), kRoot + "/scenarios/models", warnings)
                   : read_scenario(path, {}, library(), kRoot + "/scenarios/models", warnings);
    EXPECT_TRUE(scenario) << print_diagnostics(scenario.error());
  }
}

TEST(Schemas, AMachineHasTheKeysOfANode) {
  const Json machine = Json::parse(test::schema_text("machine"));
  const Json node = Json::parse(test::schema_text("scenario"))["definitions"]["node"];
  EXPECT_EQ(machine["properties"], node["properties"]);
  EXPECT_EQ(machine["required"], node["required"]);
}

// What the reader of profiles says about one text, dangling references aside: the library is empty here.
bool profile_reads(const Json& json) {
  static const test::TemporaryFolder folder;
  const std::string path = folder.write("profile.json", json.dump());
  for (const Diagnostic& d : check_profile_file(path, {})) {
    if (d.severity == Severity::error && d.message.find("has no profile") == std::string::npos) return false;
  }
  return true;
}

// One file of each kind: what holds of one holds of its siblings, and validating is slow.
std::vector<std::string> one_of_each_kind() {
  std::set<std::string> kinds;
  std::vector<std::string> files;
  for (const std::string& path : profile_files()) {
    if (kinds.insert(Json::parse(test::read_file(path))["kind"]).second) files.push_back(path);
  }
  return files;
}

TEST(Schemas, ProfileSchemaAndReaderRefuseTheSameUnknownKeys) {
  for (const std::string& path : one_of_each_kind()) {
    const Json good = Json::parse(test::read_file(path));
    EXPECT_TRUE(profile_reads(good)) << path;
    Json bad = good;
    bad["bogus"] = 1;
    EXPECT_FALSE(profile_reads(bad)) << path;
    EXPECT_NE(test::schema_faults(schema_of(path), bad.dump()), "") << path;
    for (const auto& [key, value] : good.items()) {
      if (!value.is_object()) continue;
      bad = good;
      bad[key]["bogus"] = 1;
      EXPECT_FALSE(profile_reads(bad)) << path << " " << key;
      EXPECT_NE(test::schema_faults(schema_of(path), bad.dump()), "") << path << " " << key;
    }
  }
}

TEST(Schemas, ProfileSchemaAndReaderAgreeOnWhatIsRequired) {
  for (const std::string& path : one_of_each_kind()) {
    const Json good = Json::parse(test::read_file(path));
    for (const auto& [key, value] : good.items()) {
      if (key == "kind") continue;  // the reader needs it where several kinds share a folder, and the schema always
      Json without = good;
      without.erase(key);
      EXPECT_EQ(profile_reads(without), test::schema_faults(schema_of(path), without.dump()).empty())
          << path << " " << key;
      if (!value.is_object()) continue;
      for (const auto& [part, ignored] : value.items()) {
        without = good;
        without[key].erase(part);
        EXPECT_EQ(profile_reads(without), test::schema_faults(schema_of(path), without.dump()).empty())
            << path << " " << key << "." << part;
      }
    }
  }
}

// ---- scenarios ----

// Every key that a scenario can have.
const char* kFullScenario = R"({
  "$schema": "x", "note": "n", "question": "q",
  "model": {"id": "llama-3.3-70b", "quantisation": "Q4_K_M", "kv": "f16", "kv_values": "q8_0",
            "override": {}},
  "workload": {"users": 2, "context": 8192, "prompt": 4096, "output": 256},
  "engine": {"name": "llama.cpp", "version": "b9000", "micro_batch": 1024, "flash_attention": true, "whole_windows": false,
             "shared_cache": true, "all_logits": true, "chunked_prefill": true, "cuda_graphs": true, "memory_fraction": 0.9,
             "sequences_max": 256, "block": 16, "system": "linux", "reserve": "512 MiB"},
  "draft": {"id": "llama-3.2-1b", "quantisation": "Q4_K_M", "guesses": 5, "acceptance": 0.8},
  "lora": {"count": 2, "rank": 32, "targets": "attention"},
  "vision": {"weights": "900 MiB", "hidden": 1152, "feed_forward": 4304, "heads": 16, "patches_per_token": 4,
             "flash_attention": true, "image_tokens": 4096, "encode_on": "gpu"},
  "traffic": {"arrivals": "bursts", "requests": 50, "users": 3, "think": "2 s", "rate": 0.5, "burst": 4,
              "trace": "day.csv", "speed": 2, "prompt": 512, "output": 128, "lengths": "lognormal", "variation": 0.8, "prefix_groups": 2, "prefix_tokens": 100, "seed": 7},
  "slo": {"ttft": "2 s", "tpot": "50 ms", "e2e": "30 s", "share": 0.9},
  "serving": {"replicas": 2, "prefill_replicas": 1, "balancing": "round-robin"},
  "failures": {"events": [{"what": "a/0", "at": "120 s", "repair": "10 min"}], "device_mtbf": "8000 h", "node_mtbf": "4000 h",
               "network_mtbf": "9000 h", "repair": "1 h", "detect": "5 s", "in_flight": "lose", "seed": 3},
  "storage": {"nas": "nas-nvme-10gbe", "disk": "nvme-gen4-1tb", "on_disk": true, "mapped": false, "page_cache": false},
  "placement": {"split": "automatic"},
  "cluster": {"nodes": [{"name": "a", "host": "x99-xeon-e5-2680-v4", "devices": ["rtx-3090", "rtx-3090"], "nic": "nic-x520",
                         "nic_ports": 1, "ram": "64 GiB", "psu": "psu-1600-gold", "psu_count": 2, "power_limit": "280 W",
                         "clock_lock": "1550 MHz", "supply_sharing": "load_sharing", "pcie_lanes": 8, "pcie_generation": 3},
                        {"host": "x99-xeon-e5-2680-v4", "devices": ["rtx-3090"], "nic": "nic-x520",
                         "supplies": [{"psu": "psu-1000-gold", "devices": [0], "host": true, "card_rail": "480 W"}]}],
              "switch": "switch-crs309", "rdma": false},
  "wafers": {"device": "wse-3", "rule": "two_everywhere", "layers_max": 2},
  "cooling": {"sink": "immersion-gpu-natural", "radiator": "radiator-mo-ra3-360", "pump": "pump-d5",
              "fluid": "fluid-mineral-oil", "fan_rpm": 800, "radiators": 2},
  "site": {"circuit": "eu-16a", "breaker": "c", "other_loads": "500 W",
           "ups": {"rated_va": 1500, "rated": "900 W", "battery": "432 Wh"}, "tariff": "eu-household", "busy_hours_per_day": 4, "room": "22 degC", "currency": "EUR"},
  "size": {"budget": "3500 EUR", "quantisations": ["Q4_K_M"], "devices": ["rtx-3090"], "nodes_max": 2, "devices_max": 8, "pcie_lanes_min": 4,
           "allow_used": true, "allow_offload": true, "tokens_per_s_min": 5, "first_token_max": "60 s", "rank_by": "speed",
           "have": {"host": "x99-xeon-e5-2680-v4", "devices": ["rtx-3090"]}},
  "claims": [{"statement": "s", "metric": "fits", "relation": "equal", "value": true, "tolerance": 0.1,
              "with": {"model.quantisation": "IQ2_M"}, "source": "guide"}]
})";

Diagnostics scenario_faults(const Json& json, const std::string& name = "scenario.json") {
  static const test::TemporaryFolder folder;
  folder.write("base.json", "{}");
  Diagnostics warnings;
  const Result<Scenario> scenario =
      read_scenario(folder.write(name, json.dump(1)), {}, library(), kRoot + "/scenarios/models", warnings);
  return scenario ? Diagnostics{} : scenario.error();
}

TEST(Schemas, TheFullScenarioReadsAndIsValid) {
  Json full = Json::parse(kFullScenario);
  full["extends"] = "base.json";
  EXPECT_EQ(print_diagnostics(scenario_faults(full)), "");
  EXPECT_EQ(test::schema_faults("scenario", full.dump()), "");
}

struct SchemaObject {
  const char* pointer;      // in the schema
  Json::json_pointer path;  // in the full scenario
};

const std::vector<SchemaObject>& schema_objects() {
  static const std::vector<SchemaObject> objects = {
      {"", Json::json_pointer("")},
      {"/properties/model", Json::json_pointer("/model")},
      {"/properties/workload", Json::json_pointer("/workload")},
      {"/properties/engine", Json::json_pointer("/engine")},
      {"/properties/placement", Json::json_pointer("/placement")},
      {"/properties/traffic", Json::json_pointer("/traffic")},
      {"/properties/slo", Json::json_pointer("/slo")},
      {"/properties/serving", Json::json_pointer("/serving")},
      {"/properties/failures", Json::json_pointer("/failures")},
      {"/definitions/failure", Json::json_pointer("/failures/events/0")},
      {"/properties/storage", Json::json_pointer("/storage")},
      {"/properties/cluster", Json::json_pointer("/cluster")},
      {"/definitions/node", Json::json_pointer("/cluster/nodes/0")},
      {"/definitions/supply", Json::json_pointer("/cluster/nodes/1/supplies/0")},
      {"/properties/wafers", Json::json_pointer("/wafers")},
      {"/properties/cooling", Json::json_pointer("/cooling")},
      {"/properties/site", Json::json_pointer("/site")},
      {"/properties/site/properties/ups", Json::json_pointer("/site/ups")},
      {"/properties/size", Json::json_pointer("/size")},
      {"/definitions/node", Json::json_pointer("/size/have")},
      {"/definitions/claim", Json::json_pointer("/claims/0")}};
  return objects;
}

TEST(Schemas, TheFullScenarioHasEveryKeyOfTheSchema) {
  const Json schema = Json::parse(test::schema_text("scenario"));
  const Json full = Json::parse(kFullScenario);
  for (const SchemaObject& object : schema_objects()) {
    if (object.path == Json::json_pointer("/size/have")) continue;  // a node too
    for (const auto& [key, value] : schema.at(Json::json_pointer(object.pointer)).at("properties").items()) {
      if (key == "$schema" || key == "note" || key == "extends") continue;
      if (key == "supplies") continue;  // of the second node, in place of "psu"
      EXPECT_TRUE(full.at(object.path).contains(key)) << object.pointer << " " << key;
    }
  }
}

// A key that nobody knows is refused by both; the reader's hint then lists or counts what it does know.
TEST(Schemas, ScenarioSchemaAndReaderKnowTheSameKeys) {
  const Json schema = Json::parse(test::schema_text("scenario"));
  for (const SchemaObject& object : schema_objects()) {
    Json bad = Json::parse(kFullScenario);
    bad.at(object.path)["zzzzzzzzzzzzzzzz"] = 1;
    EXPECT_NE(test::schema_faults("scenario", bad.dump()), "") << object.pointer;
    const Diagnostics faults = scenario_faults(bad);
    ASSERT_EQ(faults.size(), 1u) << object.pointer << print_diagnostics(faults);
    const std::string& hint = faults[0].hint;
    const std::size_t in_all = hint.find(", ... (");
    const std::size_t known = in_all == std::string::npos
                                  ? 1 + static_cast<std::size_t>(std::count(hint.begin(), hint.end(), ','))
                                  : std::stoul(hint.substr(in_all + 7));
    const std::size_t listed = schema.at(Json::json_pointer(object.pointer)).at("properties").size();
    EXPECT_EQ(known, listed - 2) << object.pointer << ": " << hint;  // "$schema" and "note" everywhere
  }
}

TEST(Schemas, ScenarioSchemaAndReaderRefuseTheSameValues) {
  const std::pair<const char*, Json> bad_values[] = {{"/workload/users", 0},
                                                     {"/workload/users", -1},
                                                     {"/workload/users", 1.5},
                                                     {"/workload/users", 1000001},
                                                     {"/workload/context", 0},
                                                     {"/workload/context", 16777217},
                                                     {"/model/kv", "f33"},
                                                     {"/engine/name", "ollama"},
                                                     {"/placement/split", "row"},
                                                     {"/cluster/nodes", Json::array()},
                                                     {"/cluster/nodes/0/psu_count", 0},
                                                     {"/cluster/nodes/0/supply_sharing", "both"},
                                                     {"/cluster/nodes/1/supplies", Json::array()},
                                                     {"/cluster/nodes/1/supplies/0/devices", 0},
                                                     {"/cluster/nodes/1/supplies/0/devices/0", -1},
                                                     {"/cluster/nodes/1/supplies/0/host", 1},
                                                     {"/cluster/nodes/0/pcie_lanes", 17},
                                                     {"/cluster/nodes/0/pcie_generation", 8},
                                                     {"/cluster/rdma", 1},
                                                     {"/wafers/rule", "any"},
                                                     {"/serving/replicas", 0},
                                                     {"/serving/replicas", 257},
                                                     {"/serving/balancing", "random"},
                                                     {"/failures/in_flight", "keep"},
                                                     {"/failures/events", 3},
                                                     {"/failures/events/0/what", ""},
                                                     {"/failures/seed", -1},
                                                     {"/cooling/fan_rpm", 0},
                                                     {"/cooling/radiators", 65},
                                                     {"/site/circuit", "eu-17a"},
                                                     {"/site/breaker", "d"},
                                                     {"/site/ups/rated_va", 0},
                                                     {"/site/ups/battery", 432},
                                                     {"/site/busy_hours_per_day", 25},
                                                     {"/site/currency", "GBP"},
                                                     {"/size/budget", 3500},
                                                     {"/size/nodes_max", 9},
                                                     {"/size/devices_max", 17},
                                                     {"/size/allow_used", "yes"},
                                                     {"/size/tokens_per_s_min", -1},
                                                     {"/size/rank_by", "fun"},
                                                     {"/claims/0/relation", "near"},
                                                     {"/claims/0/value", "yes"},
                                                     {"/claims/0/tolerance", 11},
                                                     {"/claims/0/with", 3},
                                                     {"/claims/0/statement", ""},
                                                     {"/cluster/nodes/0/host", ""},
                                                     {"/cluster/nodes/0/devices", Json::array({""})},
                                                     {"/question", 3},
                                                     {"/extends", Json::array({"base.json"})},
                                                     {"/claims", 3}};
  for (const auto& [path, value] : bad_values) {
    Json bad = Json::parse(kFullScenario);
    bad[Json::json_pointer(path)] = value;
    EXPECT_NE(test::schema_faults("scenario", bad.dump()), "") << path << " " << value;
    EXPECT_FALSE(scenario_faults(bad).empty()) << path << " " << value;
  }
}

TEST(Schemas, ScenarioSchemaAndReaderTakeTheSameEnds) {
  const std::pair<const char*, Json> good_values[] = {{"/workload/users", 1000000},
                                                      {"/workload/context", 16777216},
                                                      {"/cluster/nodes/0/pcie_lanes", 0},
                                                      {"/cluster/nodes/0/pcie_generation", 7},
                                                      {"/site/busy_hours_per_day", 24},
                                                      {"/site/busy_hours_per_day", 0},
                                                      {"/size/nodes_max", 8},
                                                      {"/size/devices_max", 16},
                                                      {"/cooling/radiators", 64},
                                                      {"/serving/replicas", 256},
                                                      {"/failures/events/0/at", "0 s"},
                                                      {"/failures/seed", 0},
                                                      {"/claims/0/value", 0.5},
                                                      {"/cluster/nodes/0/devices", "rtx-3090"},
                                                      {"/site/circuit", "uk-13a"},
                                                      {"/site/circuit", "us-20a"}};
  for (const auto& [path, value] : good_values) {
    Json good = Json::parse(kFullScenario);
    good[Json::json_pointer(path)] = value;
    EXPECT_EQ(test::schema_faults("scenario", good.dump()), "") << path << " " << value;
    EXPECT_EQ(print_diagnostics(scenario_faults(good)), "") << path << " " << value;
  }
}

}  // namespace
}  // namespace oblea
