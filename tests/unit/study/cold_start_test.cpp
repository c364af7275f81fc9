// A cold start against arithmetic by hand: bytes over the rate of what is narrowest on the way.
#include "study/cold_start.hpp"

#include <algorithm>

#include <gtest/gtest.h>

#include "study/loading_plan.hpp"
#include "support/repository.hpp"

namespace oblea {
namespace {

using Settings = std::vector<ScenarioSetting>;

struct Started {
  PlacedCluster placed;
  LoadingPlan plan;
  ColdStart start;
};

Started started(const std::string& path, const Settings& settings,
                const ProfileLibrary& library = test::repository_library()) {
  Started s;
  const Scenario scenario = test::repository_scenario(path, settings);
  s.placed = place_on_cluster(scenario, library, test::repository_timing()).value();
  if (s.placed.placement() == nullptr) throw std::runtime_error("does not fit");
  s.plan = make_loading_plan(scenario, s.placed, library).value();
  s.start = cold_start(scenario, s.placed, library).value();
  return s;
}

Settings with(Settings settings, const Settings& more) {
  settings.insert(settings.end(), more.begin(), more.end());
  return settings;
}

double weights(const Started& s, std::size_t box) { return s.plan.boxes[box].weights_bytes; }
double all_weights(const Started& s) {
  double bytes = 0;
  for (const BoxLoading& box : s.plan.boxes) bytes += box.weights_bytes;
  return bytes;
}

std::string cell(const Table& table, std::size_t row, std::size_t column) {
  return std::get<std::string>(table.rows.at(row).at(column));
}

const std::string kOneCard = "scenarios/homelab/single-3090-qwen3-32b.json";
const std::string kTwoBoxes = "scenarios/homelab/two-node-10gbe.json";
const std::string kFourCards = "scenarios/immersion/four-3090.json";

const Settings kDisk = {{"storage.disk", "nvme-gen4-1tb", "test"}};
const Settings kRead = {{"storage.disk", "nvme-gen4-1tb", "test"}, {"storage.mapped", "false", "test"}};
const Settings kSmall = {{"model.quantisation", "IQ2_M", "test"}};
const Settings kNas = with(kSmall, {{"storage.nas", "nas-nvme-10gbe", "test"}, {"storage.mapped", "false", "test"}});
const Settings kVllm = {{"engine.name", "vllm", "test"},
                        {"model.id", "llama-3.1-8b", "test"},
                        {"model.quantisation", "BF16", "test"},
                        {"placement.split", "tensor", "test"},
                        {"workload.context", "2048", "test"}};

constexpr double kLlamaCpp = 1;  // s, of starting the engine
constexpr double kVllmStart = 60;

// One card: 1.5 GB/s of page faults against 7.45 of the disk, 8 of memory, 12.5 and more of the slot.
TEST(ColdStart, PageFaultsPaceAMappedFile) {
  const Started s = started(kOneCard, kDisk);
  EXPECT_NEAR(s.start.ready_s, weights(s, 0) / 1.5e9 + kLlamaCpp, 1e-6);
  EXPECT_EQ(cell(s.start.table, 0, 1), "disk");
  EXPECT_EQ(cell(s.start.table, 0, 2), "box 1 page faults");
}

TEST(ColdStart, TheDiskPacesAFileThatIsRead) {
  const Started s = started(kOneCard, kRead);
  EXPECT_NEAR(s.start.ready_s, weights(s, 0) / 7.45e9 + kLlamaCpp, 1e-6);
  EXPECT_EQ(cell(s.start.table, 0, 2), "box 1 disk");
}

TEST(ColdStart, ASecondStartComesFromMemory) {
  const Started s = started(kOneCard, with(kDisk, {{"storage.page_cache", "true", "test"}}));
  EXPECT_NEAR(s.start.ready_s, weights(s, 0) / 8e9 + kLlamaCpp, 1e-6);
  EXPECT_EQ(cell(s.start.table, 0, 1), "page cache");
}

TEST(ColdStart, APageCacheSmallerThanTheModelIsNoted) {
  const Settings warm =
      with(kDisk, {{"storage.page_cache", "true", "test"}, {"cluster.nodes.0.ram", "16 GiB", "test"}});
  bool noted = false;
  for (const std::string& note : started(kOneCard, warm).start.notes)
    noted = noted || note.find("page cache of 17 GB") != std::string::npos;
  EXPECT_TRUE(noted);
}

// llama.cpp fills one card after the other: four slots of 0.2 GB/s take as long as one.
TEST(ColdStart, RisersFillInTurn) {
  const Settings risers =
      with(kRead, {{"cluster.nodes.0.pcie_lanes", "1", "test"}, {"cluster.nodes.0.pcie_generation", "1", "test"}});
  const Started s = started(kFourCards, risers);
  EXPECT_NEAR(s.start.ready_s, all_weights(s) / 0.2e9 + kLlamaCpp, 1e-6);
}

// vLLM fills four cards at once: the fullest one is the last.
TEST(ColdStart, WorkersFillTheirCardsAtOnce) {
  const Settings risers = with(with(kRead, kVllm), {{"cluster.nodes.0.pcie_lanes", "1", "test"},
                                                    {"cluster.nodes.0.pcie_generation", "1", "test"}});
  const Started s = started(kFourCards, risers);
  double fullest = 0;
  for (const DeviceMemory& memory : s.placed.placement()->memory) fullest = std::max(fullest, memory.weights.value());
  EXPECT_LT(fullest, 0.4 * all_weights(s));
  EXPECT_NEAR(s.start.ready_s, fullest / 0.2e9 + kVllmStart, 1e-6);
}

// The first box reads all of it from the NAS at 0.9 GB/s and sends on what is the second one's at 1.17 GB/s.
TEST(ColdStart, OverRpcAllWeightsPassTheFirstBox) {
  const Started s = started(kTwoBoxes, kNas);
  ASSERT_GT(weights(s, 1), 1e9);
  EXPECT_NEAR(s.start.ready_s, all_weights(s) / 0.9e9 + kLlamaCpp, 1e-3);
  EXPECT_EQ(cell(s.start.table, 1, 1), "box 1");
}

TEST(ColdStart, TheWireToTheOtherBoxPacesAGigabit) {
  const Settings gigabit = {{"cluster.switch", "switch-1gbe-8port", "test"},
                            {"cluster.nodes.0.nic", "nic-1gbe-pcie", "test"},
                            {"cluster.nodes.1.nic", "nic-1gbe-pcie", "test"}};
  const Started s = started(kTwoBoxes, with(with(kSmall, kRead), gigabit));
  EXPECT_NEAR(s.start.ready_s, weights(s, 0) / 7.45e9 + weights(s, 1) / 117e6 + kLlamaCpp, 1e-3);
  EXPECT_EQ(cell(s.start.table, 1, 2), "box 1 port 1 out");
}

// rpc-server -c: nothing crosses the wire, yet the first box reads and hashes (0.7 GB/s) what the second one then
// reads.
TEST(ColdStart, ACopyOnTheOtherBoxIsHashedHereAndReadThere) {
  const Started s = started(kTwoBoxes, with(with(kSmall, kRead), {{"storage.on_disk", "true", "test"}}));
  EXPECT_NEAR(s.start.ready_s, weights(s, 0) / 7.45e9 + weights(s, 1) / 0.7e9 + weights(s, 1) / 7.45e9 + kLlamaCpp,
              1e-6);
}

// Every box of vLLM reads the whole checkpoint: two of them share 0.9 GB/s of the NAS.
TEST(ColdStart, TwoBoxesShareTheNas) {
  const Settings nas = with(kVllm, {{"storage.nas", "nas-nvme-10gbe", "test"}, {"storage.mapped", "false", "test"}});
  const Started s = started(kTwoBoxes, nas);
  const double file = s.placed.model.weights().value();
  EXPECT_EQ(s.plan.boxes[0].read_bytes, file);
  EXPECT_NEAR(s.start.ready_s, 2 * file / 0.9e9 + kVllmStart, 1e-3);
  EXPECT_EQ(cell(s.start.table, 0, 2), "NAS disks");
}

// Two ports of 1.17 GB/s, 4 GB/s of disks: boxes 1 and 2 have a port each. With a port in common each would get half.
TEST(ColdStart, BondedPortsCarryAFlowEach) {
  ProfileLibrary library = test::repository_library();
  library.storage.at("nas-nvme-2x10gbe").read.value = BytesPerSecond(4e9);
  const Settings nas = with(kVllm, {{"storage.nas", "nas-nvme-2x10gbe", "test"}, {"storage.mapped", "false", "test"}});
  const double port = 9.39e9 / 8;
  Started s = started(kTwoBoxes, nas, library);
  EXPECT_NEAR(s.start.ready_s, s.placed.model.weights().value() / port + kVllmStart, 1e-3);
  library.storage.at("nas-nvme-2x10gbe").nic_ports->value = 1;
  s = started(kTwoBoxes, nas, library);
  EXPECT_NEAR(s.start.ready_s, 2 * s.placed.model.weights().value() / port + kVllmStart, 1e-3);
}

// Low and high: all rates at the ends of their bands, and the engine's start.
TEST(ColdStart, TheBandIsThatOfItsRates) {
  const Started s = started(kOneCard, kDisk);
  EXPECT_NEAR(s.start.low_s, weights(s, 0) / 3.129e9 + 0.3, 1e-6);
  EXPECT_NEAR(s.start.high_s, weights(s, 0) / 0.6705e9 + 5, 1e-6);
}

TEST(ColdStart, ABoxIsReadyWithItsLastDevice) {
  const Started s = started(kTwoBoxes, kNas);
  ASSERT_EQ(s.start.box_ready_s.size(), 2u);
  EXPECT_NEAR(s.start.box_ready_s[0], weights(s, 0) / 0.9e9 + kLlamaCpp, 1e-3);
  EXPECT_NEAR(s.start.box_ready_s[1], s.start.ready_s, 1e-9);
}

TEST(ColdStart, UnknownProfilesAndNoSourceAreFaults) {
  Scenario scenario = test::repository_scenario(kOneCard, kDisk);
  const ProfileLibrary& library = test::repository_library();
  const PlacedCluster placed = place_on_cluster(scenario, library, test::repository_timing()).value();
  scenario.storage->disk = "nvme-gen4-1t";
  EXPECT_NE(print_diagnostics(cold_start(scenario, placed, library).error()).find("nvme-gen4-1tb"), std::string::npos);
  scenario.storage->disk = "";
  EXPECT_NE(print_diagnostics(cold_start(scenario, placed, library).error()).find("nowhere"), std::string::npos);
}

}  // namespace
}  // namespace oblea
