#include "study/launch_lines.hpp"

#include <algorithm>
#include <sstream>

#include <gtest/gtest.h>

#include "base/random.hpp"
#include "llm/mixture.hpp"
#include "study/build_machine.hpp"
#include "support/repository.hpp"

namespace oblea {
namespace {

// llama.cpp's own rule, as load_tensors has it: slot i of n + 1 (layers, then the head) goes to the first device whose
// normalised cumulative share exceeds (i - start) / ngl; -1 is the host. In float, as there.
std::vector<int> devices_of_slots(int layers, int ngl, const std::vector<int>& tensor_split) {
  std::vector<float> splits;
  float sum = 0;
  for (const int part : tensor_split) splits.push_back(sum += static_cast<float>(part));
  for (float& split : splits) split /= sum;
  const int start = std::max(layers + 1 - ngl, 0);
  std::vector<int> devices;
  for (int i = 0; i <= layers; ++i) {
    const float share = static_cast<float>(i - start) / static_cast<float>(std::min(ngl, layers + 1));
    const auto found = std::upper_bound(splits.begin(), splits.end(), share);
    devices.push_back(i < start ? -1 : static_cast<int>(found - splits.begin()));
  }
  return devices;
}

std::string argument(const std::string& command, const std::string& flag) {
  std::istringstream words(command);
  std::string word;
  while (words >> word) {
    if (word == flag && words >> word) return word;
  }
  return "";
}

std::vector<int> numbers(const std::string& list) {
  std::vector<int> values;
  std::istringstream text(list);
  for (std::string part; std::getline(text, part, ',');) values.push_back(std::stoi(part));
  return values;
}

// A planned run of stages over made-up cards: node of each card, layers of each stage, in the order of the cards.
struct Planned {
  Planned(std::vector<int> nodes, std::vector<int> stage_layers) {
    static const Device card = test::repository_library().devices.at("rtx-3090");
    planning.nodes = nodes;
    planning.accelerators = nodes.size();
    for (std::size_t d = 0; d < nodes.size(); ++d) {
      planning.devices.push_back(&card);
      planning.placement.push_back({});
    }
    int first = 0;
    for (std::size_t s = 0; s < stage_layers.size(); ++s) {
      const bool last = s + 1 == stage_layers.size();
      placement.stages.push_back({first, stage_layers[s], {static_cast<int>(s)}, s == 0, last});
      first += stage_layers[s];
    }
    scenario.model.id = "some-model";
    for (const int node : nodes) {
      const auto known = static_cast<std::size_t>(node) < scenario.cluster.nodes.size();
      if (!known) scenario.cluster.nodes.emplace_back().name = "box" + std::to_string(node + 1);
    }
  }
  LaunchLines lines() const { return launch_lines(placement, planning, scenario); }

  Placement placement;
  PlanningDevices planning;
  Scenario scenario;
};

TEST(LaunchLines, LlamaCppPutsEveryLayerWhereThePlanPutsIt) {
  RandomStream random = make_random_stream(20261130, "launch");
  for (int trial = 0; trial < 500; ++trial) {
    const int cards = 2 + static_cast<int>(random() % 7);
    std::vector<int> layers;
    for (int i = 0; i < cards; ++i) layers.push_back(1 + static_cast<int>(random() % 40));
    const Planned planned(std::vector<int>(static_cast<std::size_t>(cards), 0), layers);
    const std::string command = planned.lines().lines.back().command;
    std::vector<int> wanted;
    for (int i = 0; i < cards; ++i) wanted.insert(wanted.end(), static_cast<std::size_t>(layers[i]), i);
    wanted.push_back(cards - 1);  // the head, with the last layer
    const auto total = static_cast<int>(wanted.size()) - 1;
    EXPECT_EQ(devices_of_slots(total, std::stoi(argument(command, "-ngl")), numbers(argument(command, "-ts"))), wanted)
        << command;
  }
}

TEST(LaunchLines, LayersOnTheHostAreTheFirst) {
  Planned planned({0, 0}, {10, 12});
  PlacementDevice host;
  host.is_cpu = true;
  planned.planning.placement.push_back(host);
  planned.planning.devices.push_back(planned.planning.devices.front());
  planned.planning.nodes.push_back(0);
  for (Stage& stage : planned.placement.stages) stage.first_layer += 8;
  planned.placement.kind = SplitKind::layer_offload;
  planned.placement.stages.insert(planned.placement.stages.begin(), Stage{0, 8, {2}, true, false});
  const std::string command = planned.lines().lines.back().command;
  EXPECT_EQ(argument(command, "-ngl"), "23") << command;  // 22 layers and the head
  const std::vector<int> devices = devices_of_slots(30, 23, numbers(argument(command, "-ts")));
  EXPECT_EQ(std::count(devices.begin(), devices.end(), -1), 8);
  EXPECT_EQ(std::count(devices.begin(), devices.end(), 0), 10);
  EXPECT_EQ(std::count(devices.begin(), devices.end(), 1), 13);
}

// Servers of --rpc come first in llama.cpp's list of devices, so the node of the last layers is where it is started.
TEST(LaunchLines, TheServerRunsWhereTheLastLayersAre) {
  const Planned planned({0, 0, 1}, {20, 18, 42});
  const std::vector<LaunchLine> lines = planned.lines().lines;
  ASSERT_EQ(lines.size(), 2u);
  EXPECT_EQ(lines[0].node, "box1");
  EXPECT_EQ(lines[0].command, "rpc-server --host 0.0.0.0 --port 50052");
  EXPECT_EQ(lines[1].node, "box2");
  EXPECT_EQ(argument(lines[1].command, "--rpc"), "box1:50052");
  EXPECT_EQ(argument(lines[1].command, "-ts"), "20,18,43");
}

TEST(LaunchLines, CardsInAnotherOrderAreNamed) {
  Planned planned({0, 0, 0}, {30, 10});
  planned.placement.stages[0].devices = {2};
  planned.placement.stages[1].devices = {0};
  const std::string command = planned.lines().lines.back().command;
  EXPECT_EQ(argument(command, "--device"), "CUDA2,CUDA0");
  EXPECT_EQ(argument(command, "-ts"), "30,11");
}

// One of the second box's two cards is left out: then every device is named, those of the servers first.
TEST(LaunchLines, CardsBehindServersAreNamedToo) {
  Planned planned({0, 1, 1}, {20, 12});
  planned.placement.stages[1].devices = {2};
  const std::string command = planned.lines().lines.back().command;
  EXPECT_EQ(argument(command, "--device"), "RPC0,CUDA1") << command;
  EXPECT_EQ(argument(command, "-ts"), "20,13");
}

TEST(LaunchLines, CompanionsComeAlong) {
  Planned planned({0}, {32});
  planned.scenario.draft.emplace().model.id = "small-model";
  planned.scenario.lora = LoraAdapters{2, 16, false};
  planned.scenario.vision.emplace().on_host = true;
  const std::string command = planned.lines().lines.front().command;
  EXPECT_EQ(argument(command, "-md"), "small-model-Q4_K_M.gguf");
  EXPECT_NE(command.find("--lora adapter-1.gguf --lora adapter-2.gguf"), std::string::npos);
  EXPECT_NE(command.find("--no-mmproj-offload"), std::string::npos);
}

TEST(LaunchLines, StagesThatComeBackToANodeHaveNone) {
  const LaunchLines lines = Planned({0, 1, 0}, {10, 10, 10}).lines();
  EXPECT_TRUE(lines.lines.empty());
  EXPECT_NE(lines.why_none.find("come back"), std::string::npos);
}

TEST(LaunchLines, LlamaCppTakesCacheSlotsAndSwitches) {
  Planned planned({0}, {32});
  planned.scenario.kv = KvFormat::q8_0;
  planned.scenario.workload.users = 4;
  planned.scenario.workload.context = Tokens(8192);
  planned.scenario.engine.micro_batch = 4096;
  planned.scenario.engine.whole_windows = true;
  planned.placement.host_expert_layers = 3;
  const std::string command = planned.lines().lines.front().command;
  EXPECT_EQ(argument(command, "-c"), "32768");  // four slots share it
  EXPECT_EQ(argument(command, "-np"), "4");
  EXPECT_EQ(argument(command, "-ctk"), "q8_0");
  EXPECT_EQ(argument(command, "-ctv"), "q8_0");
  EXPECT_EQ(argument(command, "-ub"), "4096");
  EXPECT_EQ(argument(command, "-b"), "4096");
  EXPECT_EQ(argument(command, "--n-cpu-moe"), "3");
  EXPECT_NE(command.find("--swa-full"), std::string::npos);
  planned.scenario.engine.version = "b5000";  // before --n-cpu-moe
  EXPECT_EQ(argument(planned.lines().lines.front().command, "-ot"), "'blk\\.(0|1|2)\\.ffn_.*_exps\\.=CPU'");
}

TEST(LaunchLines, VllmGetsShardsStagesAndTheirLayers) {
  Planned planned({0, 0, 1, 1}, {20, 12});
  planned.scenario.engine.kind = Engine::vllm;
  planned.scenario.kv = KvFormat::fp8;
  planned.placement.kind = SplitKind::tensor_and_layers;
  planned.placement.stages[0].devices = {0, 1};
  planned.placement.stages[1].devices = {2, 3};
  const std::vector<LaunchLine> lines = planned.lines().lines;
  ASSERT_EQ(lines.size(), 3u);
  EXPECT_EQ(lines[0].command, "ray start --head --port=6379");
  EXPECT_EQ(lines[1].command, "ray start --address=box1:6379");
  EXPECT_TRUE(lines[2].command.starts_with("VLLM_PP_LAYER_PARTITION=20,12 vllm serve some-model ")) << lines[2].command;
  EXPECT_EQ(argument(lines[2].command, "--tensor-parallel-size"), "2");
  EXPECT_EQ(argument(lines[2].command, "--pipeline-parallel-size"), "2");
  EXPECT_EQ(argument(lines[2].command, "--kv-cache-dtype"), "fp8");
  planned.scenario.kv = KvFormat::q8_0;
  EXPECT_NE(planned.lines().why_none.find("q8_0"), std::string::npos);
}

TEST(LaunchLines, WordsCannotBreakOutOfTheShell) {
  EXPECT_EQ(shell_word("models/a-b_1.gguf"), "models/a-b_1.gguf");
  EXPECT_EQ(shell_word("my model"), "'my model'");
  EXPECT_EQ(shell_word("a'; rm -rf ~"), "'a'\\''; rm -rf ~'");
  EXPECT_EQ(shell_word("$(x)`y`"), "'$(x)`y`'");
  EXPECT_EQ(shell_word("a\nb"), "'a?b'");
  EXPECT_EQ(shell_word(""), "''");
}

// Every split that `place` plans for two boxes of a real scenario has a line, and its layers add up.
TEST(LaunchLines, OfTheTwoNodeScenarioHoldAllLayers) {
  const Report report =
      test::place_repository("scenarios/homelab/two-node-10gbe.json",
                             {{"model.quantisation", "IQ2_M", "test"}, {"workload.context", "8192", "test"}});
  ASSERT_EQ(report.launch.size(), 2u);
  const std::string& command = report.launch.back().command;
  EXPECT_EQ(argument(command, "-ngl"), "81");
  const std::vector<int> split = numbers(argument(command, "-ts"));
  EXPECT_EQ(split.size(), 2u);
  EXPECT_EQ(split[0] + split[1], 81);
}

}  // namespace
}  // namespace oblea
