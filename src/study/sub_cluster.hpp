// SubCluster: the part of a scenario's cluster that one replica runs on, and what is left of it when components fail.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "base/result.hpp"
#include "study/scenario.hpp"

namespace oblea {

// The scenario of each replica in turn: its nodes, or its cards of a node, in groups of equal number, in order. A card
// that is not its own stays in its slot unused, and a box's RAM is shared equally. The replicas of a role share the
// users: each must hold ceil(users / replicas of its role) at once.
// Example: 2 nodes, 2 replicas: a node each. 1 node with 4 cards, 2 replicas: cards 0 and 1, cards 2 and 3. 3 users on
// 2 replicas: 2 each.
// Errors: nodes or cards that do not make equal groups; a chain of wafers.
Result<std::vector<Scenario>> replica_scenarios(const Scenario& scenario);

// A card by its node's place in the cluster and its own in the node.
struct CardPlace {
  int node = 0;
  int card = 0;
};

// The first card of a replica; `scenario` must have equal parts.
CardPlace first_card(const Scenario& scenario, int replica);

// Of `serving.replicas`, the first read prompts and the rest answer, where the two are split.
Role role_of(const ServingSettings& serving, int replica);

// What is left of a replica: each of the parts could run alone. One part as long as the network works, else a part a
// node; a node whose cards are all dead is gone. Example: nodes a (2 cards) and b, down {a/0, network}: a with card 1;
// b.
std::vector<Scenario> parts_left(const Scenario& replica, const std::set<std::string>& down);

// What a part consists of: "a (card 1) + b", with the cards where not all are its own. Tells parts of a scenario apart.
std::string part_words(const Scenario& part);

}  // namespace oblea
