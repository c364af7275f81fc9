// `oblea simulate` end to end: a change of hardware or load moves the figures by what arithmetic says.
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "support/json_report.hpp"
#include "support/repository.hpp"
#include "support/run_command.hpp"
#include "support/temporary_folder.hpp"

namespace oblea {
namespace {

using Json = nlohmann::json;
using test::figure;

const std::string kTwoBoxes = "scenarios/homelab/tensor-parallel-rdma.json";

Json simulate(const std::string& scenario, std::vector<std::string> flags) {
  std::vector<std::string> words = {"simulate", test::repository_path(scenario), "--requests", "5", "--json", "-"};
  words.insert(words.end(), flags.begin(), flags.end());
  const test::CommandResult result = test::run_oblea(words);
  EXPECT_EQ(result.exit_code, 0) << result.err;
  return Json::parse(result.out, nullptr, false);
}

// A profile of the library with some values of its own.
std::string profile(const test::TemporaryFolder& folder, const std::string& path,
                    const std::vector<std::pair<std::string, std::string>>& values) {
  Json json = Json::parse(test::read_file(test::repository_path("hardware-profiles/" + path)));
  for (const auto& [key, value] : values) json[key]["value"] = value;
  return folder.write("profile.json", json.dump());
}

// Qwen3 32B, tensor parallel over two boxes: 64 layers of two all-reduces, hidden 5120 in 16 bits. A prompt of 4,096
// sends 128 x 4096 x 5120 x 2 B = 5.37 GB each way: 1.828 s at 23.5 Gb/s and as much again at half of it. A token of
// the answer sends 1.3 MB: 0.45 ms more.
TEST(SimulateSensitivity, HalfTheBandwidthIsFeltByWhatIsSent) {
  const test::TemporaryFolder folder;
  const Json before = simulate(kTwoBoxes, {});
  const Json after =
      simulate(kTwoBoxes, {"--profile", profile(folder, "links/nic-connectx-4-lx.json",
                                                {{"goodput", "11.75 Gbps"}, {"rdma_goodput", "11.75 Gbps"}})});
  const double prompt_s = 128.0 * 4096 * 5120 * 2 / (23.5e9 / 8);
  const double token_s = 128.0 * 5120 * 2 / (23.5e9 / 8);
  EXPECT_NEAR(figure(after, "ttft_mean_s") - figure(before, "ttft_mean_s"), prompt_s, 0.01 * prompt_s);
  EXPECT_NEAR(figure(after, "tpot_mean_s") - figure(before, "tpot_mean_s"), token_s, 0.01 * token_s);
}

// 128 all-reduces a token: twice the latency of 1 us (RDMA) or 20 us (TCP) is 0.128 or 2.56 ms more.
TEST(SimulateSensitivity, TwiceTheLatencyIsFeltByEveryAllReduce) {
  const test::TemporaryFolder folder;
  const std::string late =
      profile(folder, "links/nic-connectx-4-lx.json", {{"tcp_latency", "40 us"}, {"rdma_latency", "2 us"}});
  for (const auto& [rdma, more_s] : {std::pair{"true", 128 * 1e-6}, std::pair{"false", 128 * 20e-6}}) {
    const std::string set = std::string("cluster.rdma=") + rdma;
    const Json before = simulate(kTwoBoxes, {"--set", set});
    const Json after = simulate(kTwoBoxes, {"--set", set, "--profile", late});
    EXPECT_NEAR(figure(after, "tpot_mean_s") - figure(before, "tpot_mean_s"), more_s, 0.01 * more_s) << rdma;
  }
}

// Kimi K3 takes 69 hops a token: twice 2 us is 138 us more.
TEST(SimulateSensitivity, AWafersHopIsFeltByEveryToken) {
  const test::TemporaryFolder folder;
  const std::string wafers = "scenarios/wafer/kimi-k3.json";
  const Json before = simulate(wafers, {"--users", "1"});
  const Json after = simulate(
      wafers, {"--users", "1", "--profile", profile(folder, "devices/wse-3t.json", {{"hop_latency", "4 us"}})});
  EXPECT_NEAR(figure(after, "tpot_mean_s") - figure(before, "tpot_mean_s"), 138e-6, 1e-6);
}

std::string boxes(int count) {
  Json nodes = Json::array();
  for (int i = 0; i < count; ++i) {
    nodes.push_back(
        {{"host", "am5-b650-ryzen-7600"}, {"devices", {"rtx-4090"}}, {"nic", "nic-x520"}, {"ram", "32 GiB"}});
  }
  return "cluster.nodes=" + nodes.dump();
}

// Four boxes in place of two, over 10 GbE: each pair holds about half of the layers, so that a pair works for half of
// the time only, and the room for KV is more than twice as large: weights are there once.
TEST(SimulateSensitivity, MoreHostsShareTheWorkAndLeaveRoom) {
  const auto run = [](int count) {
    return simulate(kTwoBoxes,
                    {"--set", "cluster.rdma=false", "--set", "cluster.switch=switch-crs309", "--set", boxes(count)});
  };
  const Json two = run(2);
  const Json four = run(4);
  EXPECT_LT(figure(four, "stage_busy_percent"), 0.75 * figure(two, "stage_busy_percent"));
  EXPECT_LT(figure(four, "cache_peak_percent"), 0.5 * figure(two, "cache_peak_percent"));
}

TEST(SimulateSensitivity, LongerContextsTakeLonger) {
  const Json shorter = simulate(kTwoBoxes, {"--prompt", "4096"});
  const Json longer = simulate(kTwoBoxes, {"--prompt", "6000"});
  EXPECT_GT(figure(longer, "ttft_mean_s"), 1.3 * figure(shorter, "ttft_mean_s"));
  EXPECT_GT(figure(longer, "tpot_mean_s"), figure(shorter, "tpot_mean_s"));
  EXPECT_GT(figure(longer, "cache_peak_percent"), 1.3 * figure(shorter, "cache_peak_percent"));
}

// Qwen3 32B: 64 layers x 2 x 8 heads x 128 = 131,072 numbers a token, 262,144 B in 16 bits and half of it in 8: over
// two cards a token behind 4,224 others reads 0.55 GB less in all, 0.28 GB each: 0.27 ms at 1,008 GB/s and more at
// what is reached of it. The cache holds twice the tokens in the same room.
TEST(SimulateSensitivity, ASmallerCacheIsReadFasterAndLeavesRoom) {
  const Json before = simulate(kTwoBoxes, {});
  const Json after = simulate(kTwoBoxes, {"--kv", "fp8"});
  const double saved_s = figure(before, "tpot_mean_s") - figure(after, "tpot_mean_s");
  EXPECT_GT(saved_s, 0.27e-3);
  EXPECT_LT(saved_s, 0.54e-3);
  EXPECT_NEAR(figure(after, "cache_peak_percent") / figure(before, "cache_peak_percent"), 0.5, 0.02);
}

TEST(SimulateSensitivity, ARequestTooLongIsRejectedCountedAndNamed) {
  const test::CommandResult result = test::run_oblea(
      {"simulate", test::repository_path(kTwoBoxes), "--requests", "7", "--context", "1024", "--set",
       "traffic.prompt=1000", "--set", "traffic.output=25", "--json", "-", "--fail-on", "rejected-requests"});
  EXPECT_EQ(result.exit_code, 1) << result.err;
  const Json report = Json::parse(result.out, nullptr, false);
  EXPECT_EQ(figure(report, "rejected_requests"), 7);
  EXPECT_EQ(figure(report, "finished_requests"), 0);
}

}  // namespace
}  // namespace oblea
