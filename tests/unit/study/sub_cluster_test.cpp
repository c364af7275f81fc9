#include "study/sub_cluster.hpp"

#include <gtest/gtest.h>

#include "study/build_machine.hpp"
#include "support/repository.hpp"

namespace oblea {
namespace {

Scenario boxes(std::vector<std::size_t> cards, int replicas, double users = 1) {
  Scenario scenario;
  for (std::size_t i = 0; i < cards.size(); ++i) {
    NodeSettings node;
    node.name = std::string(1, static_cast<char>('a' + i));
    node.host = "epyc-7302-romed8-2t-open-frame";
    node.devices.assign(cards[i], "rtx-3090");
    scenario.cluster.nodes.push_back(node);
  }
  scenario.serving.replicas = replicas;
  scenario.workload.users = users;
  return scenario;
}

std::vector<std::string> words_of(const std::vector<Scenario>& parts) {
  std::vector<std::string> words;
  for (const Scenario& part : parts) words.push_back(part_words(part));
  return words;
}

std::vector<std::string> replicas_of(const Scenario& scenario) { return words_of(replica_scenarios(scenario).value()); }

using Words = std::vector<std::string>;

TEST(SubCluster, DividesNodesThenCards) {
  EXPECT_EQ(replicas_of(boxes({1, 1}, 2)), (Words{"a", "b"}));
  EXPECT_EQ(replicas_of(boxes({1, 1, 1, 1}, 2)), (Words{"a + b", "c + d"}));
  EXPECT_EQ(replicas_of(boxes({4}, 2)), (Words{"a (card 0, 1)", "a (card 2, 3)"}));
  EXPECT_EQ(replicas_of(boxes({2, 2}, 4)), (Words{"a (card 0)", "a (card 1)", "b (card 0)", "b (card 1)"}));
  EXPECT_EQ(replicas_of(boxes({3}, 1)), Words{"a"});
}

TEST(SubCluster, RefusesUnequalParts) {
  EXPECT_FALSE(replica_scenarios(boxes({1, 1, 1}, 2)));
  EXPECT_FALSE(replica_scenarios(boxes({3}, 2)));
  EXPECT_FALSE(replica_scenarios(boxes({0}, 2)));
  Scenario wafers = boxes({}, 2);
  wafers.wafers = WaferChain{};
  EXPECT_FALSE(replica_scenarios(wafers));
}

TEST(SubCluster, SharesUsersWithinARole) {
  EXPECT_EQ(replica_scenarios(boxes({1, 1}, 2, 3)).value()[1].workload.users, 2);
  Scenario split = boxes({4}, 4, 6);
  split.serving.prefill_replicas = 1;
  const std::vector<Scenario> parts = replica_scenarios(split).value();
  EXPECT_EQ(parts[0].workload.users, 6) << "one reads for all";
  EXPECT_EQ(parts[3].workload.users, 2) << "three answer";
  EXPECT_EQ(role_of(split.serving, 0), Role::prefill);
  EXPECT_EQ(role_of(split.serving, 1), Role::decode);
  EXPECT_EQ(role_of(boxes({4}, 4).serving, 0), Role::whole);
}

TEST(SubCluster, KnowsTheFirstCardOfEach) {
  EXPECT_EQ(first_card(boxes({4}, 2), 1).card, 2);
  EXPECT_EQ(first_card(boxes({2, 2}, 4), 3).node, 1);
  EXPECT_EQ(first_card(boxes({2, 2}, 4), 3).card, 1);
  EXPECT_EQ(first_card(boxes({1, 1, 1, 1}, 2), 1).node, 2);
}

TEST(SubCluster, LeavesWhatIsNotDown) {
  const Scenario whole = boxes({2, 1}, 1);
  EXPECT_EQ(words_of(parts_left(whole, {})), Words{"a + b"});
  EXPECT_EQ(words_of(parts_left(whole, {"a/0"})), Words{"a (card 1) + b"});
  EXPECT_EQ(words_of(parts_left(whole, {"a/0", "network"})), (Words{"a (card 1)", "b"}));
  EXPECT_EQ(words_of(parts_left(whole, {"b/0"})), Words{"a"}) << "a node without a card is gone";
  EXPECT_EQ(words_of(parts_left(whole, {"a", "a/1"})), Words{"b"});
  EXPECT_TRUE(parts_left(whole, {"a", "b"}).empty());
  EXPECT_EQ(words_of(parts_left(boxes({4}, 1), {"network"})), Words{"a"}) << "nothing goes over it";
}

// A B650 board has a slot of 16 lanes and one of 4.
TEST(SubCluster, AMissingCardLeavesTheOthersInTheirSlots) {
  Scenario scenario = boxes({2}, 2);
  scenario.cluster.nodes[0].host = "am5-b650-ryzen-7600";
  const Machine whole = build_machine(scenario, test::repository_library()).value();
  const Scenario second = replica_scenarios(scenario).value()[1];
  const Machine part = build_machine(second, test::repository_library()).value();
  ASSERT_EQ(part.boxes[0].devices.size(), 1u);
  EXPECT_EQ(whole.boxes[0].slots[0].lanes, 16);
  EXPECT_EQ(part.boxes[0].slots[0].lanes, 4);
  EXPECT_EQ(part.boxes[0].ram_bytes.value(), whole.boxes[0].ram_bytes.value() / 2);
}

}  // namespace
}  // namespace oblea
