// Replicas and failures as a user meets them: who waits, what is lost, how much of the time somebody serves.
#include <cmath>

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
using test::has_verdict;

const std::string kPair = "scenarios/homelab/two-node-failover.json";

// The pair with a 14B that fits either box.
const std::vector<std::string> kSmall = {"--set", "model.id=qwen3-14b", "--set", "model.quantisation=Q4_K_M"};

std::vector<std::string> words_for(const std::string& scenario, const std::vector<std::string>& flags) {
  std::vector<std::string> words = {"simulate", test::repository_path(scenario), "--set", "claims=[]", "--json", "-"};
  words.insert(words.end(), flags.begin(), flags.end());
  return words;
}

std::vector<std::string> with(std::vector<std::string> flags, const std::vector<std::string>& settings) {
  for (const std::string& setting : settings) flags.insert(flags.end(), {"--set", setting});
  return flags;
}

Json run(const std::vector<std::string>& flags, const std::string& scenario = kPair) {
  const test::CommandResult result = test::run_oblea(words_for(scenario, flags));
  EXPECT_EQ(result.exit_code, 0) << result.err;
  return result.exit_code == 0 ? Json::parse(result.out) : Json::object();
}

bool has_note(const Json& report, const std::string& words) {
  for (const Json& note : report["notes"]) {
    if (note.get<std::string>().find(words) != std::string::npos) return true;
  }
  return false;
}

// Two equal boxes: two servers of one queue each. Far from full their queues are less than half as long as one's.
TEST(Failover, ReplicasShortenTheQueue) {
  const std::vector<std::string> busy = with(kSmall, {"failures=null", "traffic.rate=0.15", "traffic.requests=300",
                                                      "cluster.nodes.1.devices=rtx-4070-ti-super"});
  const double alone = figure(run(with(busy, {"cluster.nodes.1.devices=rtx-4070-super"})), "ttft_mean_s");
  const double shared = figure(run(with(busy, {"serving.replicas=2"})), "ttft_mean_s");
  EXPECT_LT(shared, 0.5 * alone);
}

// 5 min to 15 min after the start nothing holds the 70B; then 10 s until it is noticed.
TEST(Failover, WhatIsLeftOfThePairCannotHoldThe70B) {
  const Json report = run({});
  EXPECT_TRUE(has_verdict(report, "outage"));
  EXPECT_EQ(figure(report, "lost_requests"), 0);
  EXPECT_EQ(figure(report, "finished_requests"), 120);
  const double end = figure(report, "duration_s");
  EXPECT_NEAR(figure(report, "outage_percent"), 100 * 600 / end, 1e-6);
  EXPECT_NEAR(figure(report, "availability_percent"), 100 * (end - 610) / end, 1e-6);
  EXPECT_TRUE(has_note(report, "from 300 s: node2 fails"));
  EXPECT_TRUE(has_note(report, "down until 910 s"));
}

TEST(Failover, A14BGoesOnWithOneBox) {
  const Json report = run(kSmall);
  EXPECT_FALSE(has_verdict(report, "outage"));
  EXPECT_TRUE(has_verdict(report, "interrupted"));
  EXPECT_TRUE(has_note(report, "goes on with node1"));
  EXPECT_EQ(figure(report, "lost_requests"), 0);
}

TEST(Failover, ReplicasHideAFailure) {
  const Json report = run(with(kSmall, {"serving.replicas=2"}));
  EXPECT_TRUE(has_verdict(report, "available"));
  EXPECT_EQ(figure(report, "availability_percent"), 100);
  EXPECT_EQ(figure(report, "lost_requests"), 0);
}

// More come than both can answer, so that each is at work when one fails.
TEST(Failover, RequestsInFlightAreLostWhereNobodyRetries) {
  const std::vector<std::string> busy =
      with(kSmall, {"traffic.rate=1", "traffic.requests=200", "serving.replicas=2", "failures.events.0.at=1 min"});
  const Json lost = run(with(busy, {"failures.in_flight=lose"}));
  const Json retried = run(busy);
  EXPECT_GT(figure(lost, "lost_requests"), 0);
  EXPECT_TRUE(has_verdict(lost, "lost-requests"));
  EXPECT_EQ(figure(lost, "lost_requests"), figure(retried, "retried_requests"));
  EXPECT_EQ(figure(retried, "lost_requests"), 0);
  EXPECT_EQ(figure(retried, "finished_requests"), 200);
}

TEST(Failover, WhatIsDownForGoodLosesWhatIsLeft) {
  const Json report = run({"--set", "failures.events.0.repair=null"});
  EXPECT_GT(figure(report, "lost_requests"), 0);
  EXPECT_EQ(figure(report, "finished_requests") + figure(report, "lost_requests"), 120);
}

// The 70B needs both nodes, each up 1,800 s and down 100 s in the mean: (1800 / 1900)^2 = 89.8 %. N failures of 100 s
// each in the run, N about 2 end / 1900: standard error 100 sqrt(N) / end.
TEST(Failover, AvailabilityIsMtbfOverMtbfPlusRepair) {
  const Json report = run({"--set", "failures={\"node_mtbf\": \"1800 s\", \"repair\": \"100 s\", \"detect\": \"0 s\"}",
                           "--set", "traffic.requests=400", "--set", "traffic.rate=0.001"});
  const double end = figure(report, "duration_s");
  const double failures = 2 * end / 1900;
  EXPECT_GT(failures, 300);
  EXPECT_NEAR(figure(report, "availability_percent") / 100, std::pow(1800.0 / 1900, 2),
              5 * 100 * std::sqrt(failures) / end);
}

TEST(Failover, GivesTheSameBytesTwice) {
  const auto words = words_for(kPair, {"--set", "failures.node_mtbf=600 s", "--set", "failures.repair=60 s"});
  const std::string first = test::run_oblea(words).out;
  ASSERT_FALSE(first.empty());
  EXPECT_EQ(first, test::run_oblea(words).out);
}

// Each replica stands in one box: the network between them carries nothing.
TEST(Failover, WhatNoReplicaUsesMayFail) {
  const std::vector<std::string> replicas = with(kSmall, {"serving.replicas=2"});
  Json without = run(with(replicas, {"failures.events=[]"}));
  Json failing = run(with(replicas, {"failures.events.0.what=network"}));
  for (Json* report : {&without, &failing}) report->erase("input_hash");
  EXPECT_EQ(without, failing);
}

// A cache of 4,096 tokens at 128 KiB goes from box to box for every answer.
TEST(Failover, ASplitHandsCachesOver) {
  const std::string split = "scenarios/homelab/prefill-decode.json";
  const Json fast = run({}, split);
  const Json slow = run({"--set", "cluster.rdma=false", "--set", "cluster.nodes.0.nic=nic-1gbe-pcie", "--set",
                         "cluster.nodes.1.nic=nic-1gbe-pcie"},
                        split);
  EXPECT_NEAR(figure(slow, "handover_mean_s"), 4096 * 131072 / 117.5e6, 0.1);
  EXPECT_LT(figure(fast, "handover_mean_s"), 0.3);
  EXPECT_LT(figure(fast, "tpot_mean_s"), figure(slow, "tpot_mean_s"));
  const Json whole = run({"--set", "serving.prefill_replicas=0"}, split);
  EXPECT_LT(figure(fast, "tpot_p99_s"), figure(whole, "tpot_p99_s")) << "no prompt comes in between";
}

void expect_claims(const std::string& scenario, const std::vector<std::string>& outcomes) {
  const test::CommandResult result = test::run_oblea({"simulate", test::repository_path(scenario), "--json", "-"});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  const Json claims = Json::parse(result.out)["claims"];
  ASSERT_EQ(claims.size(), outcomes.size()) << scenario;
  for (std::size_t i = 0; i < outcomes.size(); ++i) {
    EXPECT_EQ(claims[i]["outcome"], outcomes[i]) << claims[i]["statement"] << " " << claims[i]["computed"];
  }
}

TEST(Failover, AnswersTheClaimsOfItsScenarios) {
  // 22.5 GiB of weights on the 15.2 that are left; 8.4 GiB of a 14B go into either box.
  expect_claims(kPair, {"refuted", "confirmed", "confirmed", "confirmed"});
  // A pass of four cards reads weights in half the time of two, but waits for 80 all-reduces of four cards through host
  // memory; 27.5 GiB of weights are more than a card's 24.
  expect_claims("scenarios/homelab/replicas-or-tensor-parallel.json",
                {"confirmed", "refuted", "refuted", "confirmed", "refuted"});
  // 16 GB of weights at 936 GB/s: 17 ms and more a word; 512 MiB a request at 117 MB/s: 4.6 s, one every 4 s.
  expect_claims("scenarios/homelab/prefill-decode.json", {"confirmed", "confirmed", "refuted"});
}

}  // namespace
}  // namespace oblea
