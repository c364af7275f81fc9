#include "study/planned_fleet.hpp"

#include <gtest/gtest.h>

#include "study/handover_cost.hpp"
#include "support/repository.hpp"

namespace oblea {
namespace {

const std::string kPair = "scenarios/homelab/two-node-10gbe.json";

Scenario pair_of(const char* model, const char* mixture, int replicas, int prefill = 0) {
  Scenario scenario =
      test::repository_scenario(kPair, {{"model.id", model, "test"}, {"model.quantisation", mixture, "test"}});
  scenario.serving.replicas = replicas;
  scenario.serving.prefill_replicas = prefill;
  scenario.failures = FailureSettings{};
  scenario.storage = StorageSettings{};
  return scenario;
}

PlannedFleet planned(const Scenario& scenario, const std::vector<DownChange>& timeline = {}, double load_s = 0) {
  const Loading load = [load_s](const Scenario& part, const PlacedCluster&) -> Result<ColdStart> {
    ColdStart start;
    start.ready_s = start.low_s = start.high_s = load_s * part.storage->nas_readers;
    return start;
  };
  return plan_fleet(scenario, test::repository_library(), test::repository_timing(), load, timeline).value();
}

const std::vector<DownChange> kNodeTwo = {{120, {"node2"}}, {720, {}}};

// 24.5 GB of weights do not fit the 16 GB that are left.
TEST(PlannedFleet, IsDownWhereTheRestCannotHoldTheModel) {
  const PlannedFleet fleet = planned(pair_of("llama-3.3-70b", "IQ2_M", 1), kNodeTwo, 30);
  const std::vector<Phase>& phases = fleet.fleet.replicas.at(0).phases;
  ASSERT_EQ(phases.size(), 3u);
  EXPECT_EQ(phases[0].ready_s, 30);
  EXPECT_EQ(phases[1].from_s, 120);
  EXPECT_EQ(phases[1].plan, nullptr);
  EXPECT_EQ(phases[2].from_s, 720);
  EXPECT_EQ(phases[2].ready_s, 720 + 10 + 30);
  EXPECT_EQ(phases[2].plan, phases[0].plan) << "planned once";
  EXPECT_EQ(fleet.changes.at(0).what, "node2 fails");
  EXPECT_TRUE(fleet.changes.at(0).part.empty());
  EXPECT_NE(fleet.changes.at(0).why_none.find("short"), std::string::npos) << fleet.changes.at(0).why_none;
}

TEST(PlannedFleet, GoesOnWithWhatIsLeft) {
  const PlannedFleet fleet = planned(pair_of("qwen3-14b", "Q4_K_M", 1), kNodeTwo, 30);
  const std::vector<Phase>& phases = fleet.fleet.replicas.at(0).phases;
  ASSERT_EQ(phases.size(), 3u);
  ASSERT_NE(phases[1].plan, nullptr);
  EXPECT_EQ(phases[0].plan->stages.size(), 2u);
  EXPECT_EQ(phases[1].plan->stages.size(), 1u);
  EXPECT_EQ(phases[1].ready_s, 120 + 10 + 30);
  EXPECT_EQ(fleet.changes.at(0).part, "node1");
}

// Two replicas read the NAS at once; after a failure one reads it alone.
TEST(PlannedFleet, ReplicasShareTheNasAtFirst) {
  const PlannedFleet fleet = planned(pair_of("qwen3-14b", "Q4_K_M", 2), kNodeTwo, 30);
  const std::vector<Phase>& phases = fleet.fleet.replicas.at(1).phases;
  EXPECT_EQ(phases.at(0).ready_s, 60);
  EXPECT_EQ(phases.at(2).ready_s, 720 + 10 + 30);
}

TEST(PlannedFleet, AReplicaFailsWithItsOwnComponentsOnly) {
  const PlannedFleet fleet = planned(pair_of("qwen3-14b", "Q4_K_M", 2), {{120, {"node2/0", "network"}}, {720, {}}});
  ASSERT_EQ(fleet.fleet.replicas.size(), 2u);
  EXPECT_EQ(fleet.fleet.replicas[0].phases.size(), 1u);
  ASSERT_EQ(fleet.fleet.replicas[1].phases.size(), 3u);
  EXPECT_EQ(fleet.fleet.replicas[1].phases[1].plan, nullptr);
}

// Without the network the faster of the two boxes that hold the model goes on: 672 GB/s of memory against 504.
TEST(PlannedFleet, OfPartsThatCannotReachEachOtherTheFastestGoesOn) {
  const PlannedFleet fleet = planned(pair_of("qwen3-14b", "Q4_K_M", 1), {{120, {"network"}}});
  EXPECT_EQ(fleet.changes.at(0).part, "node1");
}

TEST(PlannedFleet, AFailureAtTheStartIsThereFromTheStart) {
  const PlannedFleet fleet = planned(pair_of("qwen3-14b", "Q4_K_M", 1), {{0, {"node2"}}});
  ASSERT_EQ(fleet.fleet.replicas.at(0).phases.size(), 1u);
  EXPECT_EQ(fleet.fleet.replicas[0].phases[0].plan->stages.size(), 1u);
}

// Llama 3.1 8B keeps 32 layers x 2 x 8 heads x 128 x 2 B = 128 KiB a token; 10 GbE carries 1.174 GB/s: 0.1117 ms.
TEST(PlannedFleet, ASplitHandsCachesOverTheLinkBetweenItsParts) {
  const Scenario split = pair_of("llama-3.1-8b", "Q4_K_M", 2, 1);
  const HandoverCost cost = handover_cost(split, test::repository_library()).value();
  EXPECT_NEAR(cost.s_per_token, 131072 / 1.174e9, 2e-7);
  EXPECT_NEAR(cost.latency_s, 44e-6, 1e-5);
  const PlannedFleet fleet = planned(split, {{120, {"network"}}, {130, {}}});
  EXPECT_EQ(fleet.fleet.replicas.at(0).role, Role::prefill);
  EXPECT_EQ(fleet.fleet.replicas[0].name, "prefill 1");
  EXPECT_EQ(fleet.fleet.replicas.at(1).role, Role::decode);
  EXPECT_EQ(fleet.fleet.handover_s_per_token, cost.s_per_token);
  ASSERT_EQ(fleet.fleet.replicas[1].phases.size(), 3u) << "nothing arrives without the network";
  EXPECT_EQ(fleet.fleet.replicas[1].phases[1].plan, nullptr);
}

TEST(PlannedFleet, DoesNotRunUnlessEveryReplicaFits) {
  const PlannedFleet fleet = planned(pair_of("llama-3.3-70b", "IQ2_M", 2));
  EXPECT_TRUE(fleet.fleet.replicas.empty());
  ASSERT_EQ(fleet.whole.size(), 2u);
  EXPECT_EQ(fleet.whole[1].memory.name, "does-not-fit");
}

}  // namespace
}  // namespace oblea
