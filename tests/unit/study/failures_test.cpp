#include "study/failures.hpp"

#include <cmath>

#include <gtest/gtest.h>

#include "base/limits.hpp"

namespace oblea {
namespace {

using Names = std::set<std::string>;

const std::vector<Component> kTwoNodes = {{"node1", ComponentKind::node},
                                          {"node1/0", ComponentKind::device},
                                          {"node2", ComponentKind::node},
                                          {"network", ComponentKind::network}};

std::vector<DownChange> timeline(const FailureSettings& settings, double horizon_s,
                                 const std::vector<Component>& components = kTwoNodes) {
  return failure_timeline(settings, components, horizon_s).value();
}

double down_s(const std::vector<DownChange>& changes, const std::string& what, double until_s) {
  double down = 0;
  for (std::size_t i = 0; i < changes.size(); ++i) {
    const double to = i + 1 < changes.size() ? changes[i + 1].at_s : until_s;
    if (changes[i].down.contains(what)) down += std::min(to, until_s) - std::min(changes[i].at_s, until_s);
  }
  return down;
}

TEST(Failures, HappenWhenTheScenarioSays) {
  FailureSettings settings;
  settings.events = {{"node2", 120, 0}, {"node1", 100, 50}};
  const std::vector<DownChange> changes = timeline(settings, 1000);
  ASSERT_EQ(changes.size(), 3u);
  EXPECT_EQ(changes[0].at_s, 100);
  EXPECT_EQ(changes[0].down, Names{"node1"});
  EXPECT_EQ(changes[1].at_s, 120);
  EXPECT_EQ(changes[1].down, (Names{"node1", "node2"}));
  EXPECT_EQ(changes[2].at_s, 150);
  EXPECT_EQ(changes[2].down, Names{"node2"});
}

TEST(Failures, OfWhatIsDownAlreadyLastUntilTheLastRepair) {
  FailureSettings settings;
  settings.events = {{"node1", 100, 50}, {"node1", 120, 60}};
  const std::vector<DownChange> changes = timeline(settings, 1000);
  ASSERT_EQ(changes.size(), 2u);
  EXPECT_EQ(changes[1].at_s, 180);
  EXPECT_TRUE(changes[1].down.empty());
}

TEST(Failures, AfterTheHorizonAreLeftOutButRepairsAreNot) {
  FailureSettings settings;
  settings.events = {{"node1", 90, 50}, {"node2", 100, 50}};
  const std::vector<DownChange> changes = timeline(settings, 100);
  ASSERT_EQ(changes.size(), 2u);
  EXPECT_EQ(changes[1].at_s, 140);
}

// Up 1,000 s and down 100 s in the mean: down 1 / 11 of the time. Of n = 9,000 cycles the share's standard error is
// u d / (u + d) / sqrt(n) with u, d in shares: 10 / 11 x 1 / 11 / 95 = 0.0009.
TEST(Failures, ByChanceAreDownForRepairOverMtbfPlusRepair) {
  FailureSettings settings;
  settings.node_mtbf_s = 1000;
  settings.repair_s = 100;
  const double horizon = 9000.0 * 1100;
  const double share = down_s(timeline(settings, horizon, {kTwoNodes[0]}), "node1", horizon) / horizon;
  EXPECT_NEAR(share, 1.0 / 11, 5 * 0.0009);
}

TEST(Failures, OfOneComponentDoNotMoveWithAnother) {
  FailureSettings settings;
  settings.node_mtbf_s = 5000;
  settings.repair_s = 60;
  const std::vector<DownChange> alone = timeline(settings, 1e5, {kTwoNodes[0]});
  settings.device_mtbf_s = 700;
  const std::vector<DownChange> among = timeline(settings, 1e5);
  EXPECT_NEAR(down_s(alone, "node1", 1e5), down_s(among, "node1", 1e5), 1e-6);
  EXPECT_GT(down_s(among, "node1/0", 1e5), 0);
}

TEST(Failures, WithoutRepairComeOnce) {
  FailureSettings settings;
  settings.network_mtbf_s = 10;
  const std::vector<DownChange> changes = timeline(settings, 1e6);
  ASSERT_EQ(changes.size(), 1u);
  EXPECT_EQ(changes[0].down, Names{"network"});
}

TEST(Failures, AreTheSameForTheSameSeedOnly) {
  FailureSettings settings;
  settings.node_mtbf_s = 100;
  settings.repair_s = 10;
  const auto first = timeline(settings, 1e4);
  EXPECT_EQ(first.front().at_s, timeline(settings, 1e4).front().at_s);
  settings.seed = 2;
  EXPECT_NE(first.front().at_s, timeline(settings, 1e4).front().at_s);
}

TEST(Failures, BeyondTheLimitAreRefused) {
  FailureSettings settings;
  settings.events.assign(kMaxFailures, {"node1", 1, 1});
  EXPECT_TRUE(failure_timeline(settings, kTwoNodes, 10));
  settings.events.push_back({"node1", 1, 1});
  EXPECT_FALSE(failure_timeline(settings, kTwoNodes, 10));
}

}  // namespace
}  // namespace oblea
