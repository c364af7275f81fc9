#include "io/machine_file.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "support/fake_machine.hpp"
#include "support/json_schema.hpp"
#include "support/repository.hpp"

namespace oblea {
namespace {

using Json = nlohmann::json;

void expect_same(const NodeSettings& a, const NodeSettings& b) {
  EXPECT_EQ(a.name, b.name);
  EXPECT_EQ(a.host, b.host);
  EXPECT_EQ(a.devices, b.devices);
  EXPECT_EQ(a.nic, b.nic);
  EXPECT_EQ(a.nic_ports, b.nic_ports);
  EXPECT_EQ(a.ram, b.ram);
  EXPECT_EQ(a.psu, b.psu);
  EXPECT_EQ(a.power_limit.has_value(), b.power_limit.has_value());
  EXPECT_EQ(a.power_limit.value_or(Watts(0)), b.power_limit.value_or(Watts(0)));
  EXPECT_EQ(a.pcie_lanes, b.pcie_lanes);
  EXPECT_EQ(a.pcie_generation, b.pcie_generation);
}

MatchedMachine two_3090() {
  test::FakeMachine machine;
  make_two_3090(machine);
  return match_machine(machine.find(), test::repository_library());
}

// The two ways in: `size --have` and a cluster's nodes.
void expect_round_trip(const MatchedMachine& matched) {
  const test::TemporaryFolder folder;
  const std::string text = write_machine_file(matched, "machine.schema.json");
  EXPECT_EQ(test::schema_faults("machine", text), "") << text;
  const std::string path = folder.write("my-box.json", text);
  const std::vector<ScenarioSetting> settings = {{"model.id", "qwen3-32b", "--model"},
                                                 {"size.have", path, "--have"},
                                                 {"cluster.nodes", "[\"" + path + "\"]", "--have"}};
  const Scenario scenario = test::scenario_of(settings);
  ASSERT_TRUE(scenario.size.have);
  expect_same(*scenario.size.have, matched.node);
  ASSERT_EQ(scenario.cluster.nodes.size(), 1u);
  expect_same(scenario.cluster.nodes[0], matched.node);
}

TEST(MachineFile, ReadsBackAsTheNodeThatWasWritten) { expect_round_trip(two_3090()); }

TEST(MachineFile, EveryFieldReadsBack) {
  MatchedMachine matched = two_3090();
  NodeSettings& node = matched.node;
  node.name = "q\"uote \\ \xc3\xa9";
  node.nic = "nic-x520";
  node.nic_ports = 2;
  node.ram = kGiB * 23.5;
  node.power_limit = Watts(271.5);
  node.pcie_lanes = 4;
  node.pcie_generation = 3;
  expect_round_trip(matched);
}

TEST(MachineFile, AFaultInAMachineFileNamesTheFile) {
  const test::TemporaryFolder folder;
  const std::string box = folder.write("box.json", "{\n  \"host\": \"am4-b550-ryzen-5601\"\n}\n");
  const std::string scenario =
      folder.write("scenario.json",
                   R"({"model": {"id": "qwen3-32b"}, "cluster": {"nodes": ["box.json", "gone.json", "broken.json"]}})");
  folder.write("broken.json", "{\"host\": ");
  EXPECT_EQ(test::schema_faults("scenario", test::read_file(scenario)), "");
  Diagnostics warnings;
  const auto read =
      read_scenario(scenario, {}, test::repository_library(), test::repository_path("scenarios/models"), warnings);
  ASSERT_FALSE(read);
  const std::string text = print_diagnostics(read.error());
  EXPECT_NE(text.find(box + ":2:11: error: \"host\": no profile has the id \"am4-b550-ryzen-5601\""), std::string::npos)
      << text;
  EXPECT_NE(text.find("scenario.json:1:"), std::string::npos) << text;
  EXPECT_NE(text.find("gone.json\": cannot open"), std::string::npos) << text;
  EXPECT_NE(text.find("broken.json:1:"), std::string::npos) << text;
}

TEST(MachineFile, WhatWasAssumedStandsInTheNote) {
  const Json json = Json::parse(write_machine_file(two_3090(), ""));
  EXPECT_FALSE(json.contains("$schema"));
  EXPECT_EQ(json["ram"], "64 GiB");
  EXPECT_EQ(json["power_limit"], "280 W");
  EXPECT_NE(json["note"].get<std::string>().find("RAM: 64 GiB plugged in"), std::string::npos) << json["note"];
}

TEST(MachineFile, TheWholeFindingIsJson) {
  test::FakeMachine machine;
  make_eight_h100(machine);
  const FoundMachine found = machine.find();
  const Json json = Json::parse(write_found_machine(found, match_machine(found, test::repository_library())));
  EXPECT_EQ(json["format"], 1);
  EXPECT_EQ(json["node"]["host"], "hgx-8gpu");
  ASSERT_EQ(json["found"]["gpus"].size(), 8u);
  EXPECT_EQ(json["found"]["gpus"][0]["memory_bytes"], 85520809984.0);
  EXPECT_EQ(json["found"]["gpus"][0]["pcie"]["generation_max"], 5);
  EXPECT_EQ(json["found"]["cpu"]["sockets"], 2);
  EXPECT_EQ(json["matches"][2]["match"], "exact");
  EXPECT_FALSE(json["not_seen"].empty());
}

TEST(MachineFile, ABoxLikeNoProfileHasNoNode) {
  const MatchedMachine matched = match_machine(FoundMachine{}, test::repository_library());
  EXPECT_TRUE(Json::parse(write_found_machine(FoundMachine{}, matched))["node"].is_null());
}

}  // namespace
}  // namespace oblea
