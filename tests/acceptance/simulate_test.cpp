// `oblea simulate` as a user meets it: the same bytes every time, and answers that move with what they depend on.
#include <cstdlib>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "support/json_report.hpp"
#include "support/json_schema.hpp"
#include "support/repository.hpp"
#include "support/run_command.hpp"
#include "support/temporary_folder.hpp"

namespace oblea {
namespace {

using Json = nlohmann::json;
using test::CommandResult;
using test::figure;
using test::has_verdict;
using test::run_oblea;

const std::string kOffice = "scenarios/homelab/serve-four-users.json";

Json run(const std::string& scenario, std::vector<std::string> flags) {
  std::vector<std::string> words = {"simulate", test::repository_path(scenario), "--json", "-"};
  words.insert(words.end(), flags.begin(), flags.end());
  const CommandResult result = run_oblea(words);
  EXPECT_EQ(result.exit_code, 0) << result.err;
  return Json::parse(result.out);
}

// The same run with four of them: 494 against 588 ms a token measured (b4rtaz/distributed-llama README.md @0d1121e).
TEST(Simulate, EightSmallNodesBehindABadSwitchLoseToFour) {
  const std::string scenario = "scenarios/homelab/raspberry-pi-switch.json";
  const std::string node = R"({"host": "raspberry-pi-4"})";
  const Json eight = run(scenario, {"--set", "claims=null"});
  const Json four = run(scenario, {"--set", "claims=null", "--set",
                                   "cluster.nodes=[" + node + "," + node + "," + node + "," + node + "]"});
  EXPECT_GT(figure(eight, "tpot_mean_s"), figure(four, "tpot_mean_s"));
  EXPECT_NEAR(figure(eight, "tpot_mean_s"), 0.588, 0.15 * 0.588);
  EXPECT_NEAR(figure(four, "tpot_mean_s"), 0.494, 0.15 * 0.494);
  EXPECT_GT(figure(eight, "stage_network_percent"), figure(four, "stage_network_percent"));
}

// One hop of 16 kB a token beside 160 all-reduces of as much.
TEST(Simulate, StagesWaitLessForANetworkThanTensors) {
  const std::string scenario = "scenarios/homelab/two-node-networks.json";
  const Json tensors = run(scenario, {"--set", "claims=null"});
  const Json faster =
      run(scenario, {"--set", "claims=null", "--set", "cluster.switch=null", "--set", "cluster.rdma=true", "--set",
                     "cluster.nodes.0.nic=nic-connectx-3", "--set", "cluster.nodes.1.nic=nic-connectx-3"});
  const Json stages = run(scenario, {"--set", "claims=null", "--set", "placement.split=layer"});
  EXPECT_GT(figure(tensors, "stage_network_percent"), 20);
  EXPECT_LT(figure(faster, "tpot_mean_s"), 0.9 * figure(tensors, "tpot_mean_s"));
  EXPECT_LT(figure(stages, "stage_network_percent"), 1);
}

TEST(Simulate, GivesTheSameBytesEverywhere) {
  const std::vector<std::string> words = {"simulate", test::repository_path(kOffice), "--json", "-"};
  const std::string here = run_oblea(words).out;
  ASSERT_FALSE(here.empty());
  EXPECT_EQ(test::schema_faults("report", here), "");
  const test::TemporaryFolder folder;
  const std::string before = std::filesystem::current_path().string();
  ::setenv("TZ", "Asia/Kathmandu", 1);
  ::setenv("LC_ALL", "de_DE.UTF-8", 1);
  std::filesystem::current_path(folder.path());
  const std::string there = run_oblea(words).out;
  std::filesystem::current_path(before);
  ::unsetenv("TZ");
  ::unsetenv("LC_ALL");
  EXPECT_EQ(here, there);
}

TEST(Simulate, StepByStepIsTheSameAnswer) {
  const Json fast = run(kOffice, {"--requests", "60"});
  const Json slow = run(kOffice, {"--requests", "60", "--step-by-step"});
  for (const char* name : {"ttft_mean_s", "tpot_p90_s", "e2e_p99_s", "throughput_tokens_per_s"}) {
    EXPECT_NEAR(figure(fast, name), figure(slow, name), 1e-9 * figure(slow, name)) << name;
  }
}

TEST(Simulate, MoreLoadMakesPeopleWait) {
  const Json calm = run(kOffice, {"--rate", "0.02"});
  const Json busy = run(kOffice, {"--rate", "0.3"});
  const Json flooded = run(kOffice, {"--rate", "3"});
  EXPECT_LT(figure(calm, "ttft_mean_s"), figure(busy, "ttft_mean_s"));
  EXPECT_LT(figure(busy, "ttft_mean_s"), figure(flooded, "ttft_mean_s"));
  EXPECT_TRUE(has_verdict(flooded, "overloaded"));
  EXPECT_FALSE(has_verdict(calm, "overloaded"));
}

// A communication-bound run must feel its link; nothing else changes.
TEST(Simulate, ASlowerLinkIsFelt) {
  const std::string two_boxes = "scenarios/homelab/tensor-parallel-rdma.json";
  const Json rdma = run(two_boxes, {"--requests", "20"});
  const Json tcp = run(two_boxes, {"--requests", "20", "--set", "cluster.rdma=false"});
  EXPECT_GT(figure(tcp, "tpot_mean_s"), 1.2 * figure(rdma, "tpot_mean_s"));
  EXPECT_GT(figure(tcp, "stage_network_percent"), figure(rdma, "stage_network_percent"));
}

TEST(Simulate, WhatIsLongerThanTheContextIsRejectedAndCounted) {
  const Json report = run(kOffice, {"--context", "1200", "--set", "workload.prompt=1024"});
  EXPECT_GT(figure(report, "rejected_requests"), 0);
  EXPECT_TRUE(has_verdict(report, "rejected-requests"));
}

TEST(Simulate, WritesATimelineThatPerfettoOpens) {
  const test::TemporaryFolder folder;
  const CommandResult result = run_oblea(
      {"simulate", test::repository_path(kOffice), "--requests", "10", "--timeline", folder.path("run.json")});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  const Json trace = Json::parse(test::read_file(folder.path("run.json")));
  EXPECT_GT(trace["traceEvents"].size(), 20u);
  for (const Json& event : trace["traceEvents"]) {
    if (event["ph"] == "X") {
      EXPECT_GE(event["dur"], 0);
    }
  }
}

TEST(Simulate, FailsOnAMissedObjective) {
  const std::vector<std::string> strict = {
      "simulate", test::repository_path(kOffice), "--set", "slo.tpot=10 ms", "--fail-on", "slo-missed"};
  EXPECT_EQ(run_oblea(strict).exit_code, 1);
  EXPECT_EQ(run_oblea({"simulate", test::repository_path(kOffice), "--fail-on", "slo-missed"}).exit_code, 0);
  EXPECT_EQ(run_oblea({"simulate", test::repository_path(kOffice), "--requests", "0"}).exit_code, 2);
}

// Kimi K3 over 70 wafers: a token takes about 0.85 ms through an empty chain, as place says.
TEST(Simulate, WafersTakeWhatPlaceSays) {
  const Json simulated = run("scenarios/wafer/kimi-k3.json", {"--users", "1", "--requests", "5"});
  const Json placed =
      Json::parse(run_oblea({"place", test::repository_path("scenarios/wafer/kimi-k3.json"), "--json", "-"}).out);
  EXPECT_NEAR(figure(simulated, "tpot_mean_s") * figure(placed, "decode_tokens_per_s"), 1, 0.02);
}

}  // namespace
}  // namespace oblea
