#include "study/fleet_times.hpp"

#include <gtest/gtest.h>

#include "study/scaled_plan.hpp"
#include "support/engine_plans.hpp"

namespace oblea {
namespace {

std::shared_ptr<const EnginePlan> plan(int stages = 1) {
  return std::make_shared<const EnginePlan>(
      test::plan_of(std::vector<StagePlan>(static_cast<std::size_t>(stages), test::constant_stage(1)), 4, 100));
}

Replica replica(std::vector<Phase> phases, Role role = Role::whole) { return {"r", role, std::move(phases)}; }

FleetPlan fleet(std::vector<Replica> replicas) {
  FleetPlan fleet;
  fleet.replicas = std::move(replicas);
  return fleet;
}

TEST(FleetTimes, OneThatNeverFailsIsAlwaysThere) {
  const FleetPlan one = fleet({replica({{0, plan(), 0}})});
  EXPECT_EQ(available_s(one, 100), 100);
  EXPECT_EQ(outage_s(one, 100), 0);
  EXPECT_EQ(lanes_of(one, 100).front().alive_s, 100);
}

// Down from 10 to 30 and from 20 to 40 s: both from 20 to 30 s.
TEST(FleetTimes, SomebodyServesUnlessAllAreDown) {
  const FleetPlan two = fleet({replica({{0, plan(), 0}, {10, nullptr, 10}, {30, plan(), 30}}),
                               replica({{0, plan(), 0}, {20, nullptr, 20}, {40, plan(), 40}})});
  EXPECT_EQ(available_s(two, 100), 90);
  EXPECT_EQ(outage_s(two, 100), 10);
  EXPECT_EQ(available_s(two, 25), 20);
}

// Planned anew at 10 s, loaded at 15 s: an interruption, but no outage.
TEST(FleetTimes, LoadingInterruptsButIsNoOutage) {
  const FleetPlan one = fleet({replica({{0, plan(2), 0}, {10, plan(1), 15}})});
  EXPECT_EQ(available_s(one, 100), 95);
  EXPECT_EQ(outage_s(one, 100), 0);
  const std::vector<Lane> lanes = lanes_of(one, 100);
  ASSERT_EQ(lanes.size(), 3u);
  EXPECT_EQ(lanes[1].alive_s, 10);
  EXPECT_EQ(lanes[2].alive_s, 90);
}

TEST(FleetTimes, ASplitServesWhileBothPartsDo) {
  const FleetPlan split =
      fleet({replica({{0, plan(), 0}, {50, nullptr, 50}}, Role::prefill), replica({{0, plan(), 20}}, Role::decode)});
  EXPECT_EQ(available_s(split, 100), 30);
  EXPECT_EQ(room_of(split).sequences_max, 4) << "those that answer";
  EXPECT_EQ(room_of(split).cache_tokens, 100);
}

TEST(ScaledFleet, ScalesEveryPlanOnceAndTheHandover) {
  const auto shared = plan();
  FleetPlan two = fleet({replica({{0, shared, 0}}), replica({{0, shared, 0}, {5, plan(), 6}})});
  two.handover_s_per_token = 1e-3;
  const FleetPlan half = scaled_fleet(two, {.decode = 0.5, .links = 2});
  for (const Replica& r : half.replicas) {
    for (const Phase& phase : r.phases) EXPECT_EQ(phase.plan->stages.front().decode_s(1), 0.5);
  }
  EXPECT_EQ(half.replicas[0].phases[0].plan, half.replicas[1].phases[0].plan);
  EXPECT_EQ(half.replicas[1].phases[1].ready_s, 6) << "failures stay";
  EXPECT_EQ(half.handover_s_per_token, 2e-3);
}

}  // namespace
}  // namespace oblea
