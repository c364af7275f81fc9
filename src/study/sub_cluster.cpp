#include "study/sub_cluster.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/core.h>

#include "study/components.hpp"

namespace oblea {
namespace {

bool is_unused(const NodeSettings& node, std::size_t card) {
  return std::find(node.unused.begin(), node.unused.end(), static_cast<int>(card)) != node.unused.end();
}

bool has_cards_left(const NodeSettings& node) { return node.devices.size() > node.unused.size(); }

// Nodes [first, first + count).
ClusterSettings of_nodes(const ClusterSettings& cluster, int first, int count) {
  ClusterSettings part = cluster;
  part.nodes.assign(cluster.nodes.begin() + first, cluster.nodes.begin() + first + count);
  return part;
}

// Group `group` of `groups` equal ones of a node's cards.
ClusterSettings of_cards(const ClusterSettings& cluster, int node, int group, int groups) {
  ClusterSettings part = of_nodes(cluster, node, 1);
  NodeSettings& box = part.nodes.front();
  const int size = static_cast<int>(box.devices.size()) / groups;
  for (int card = 0; card < static_cast<int>(box.devices.size()); ++card) {
    if (card / size != group) box.unused.push_back(card);
  }
  box.ram_share = 1.0 / groups;
  return part;
}

Result<ClusterSettings> part_of(const ClusterSettings& cluster, int replicas, int replica) {
  const int nodes = static_cast<int>(cluster.nodes.size());
  if (nodes % replicas == 0) return of_nodes(cluster, replica * (nodes / replicas), nodes / replicas);
  if (replicas % nodes != 0) {
    return fail(fmt::format("{} replicas on {} nodes: there are no equal parts", replicas, nodes),
                "replicas must divide the nodes, or be a multiple of them and divide their cards");
  }
  const int groups = replicas / nodes;
  const NodeSettings& node = cluster.nodes[static_cast<std::size_t>(replica / groups)];
  const int cards = static_cast<int>(node.devices.size());
  if (cards == 0 || cards % groups != 0) {
    return fail(
        fmt::format("{} replicas on node \"{}\" with {} cards: there are no equal parts", groups, node.name, cards),
        "replicas must divide the cards of a node");
  }
  return of_cards(cluster, replica / groups, replica % groups, groups);
}

}  // namespace

CardPlace first_card(const Scenario& scenario, int replica) {
  const int nodes = static_cast<int>(scenario.cluster.nodes.size());
  const int replicas = scenario.serving.replicas;
  if (nodes % replicas == 0) return {replica * (nodes / replicas), 0};
  const int groups = replicas / nodes;
  const int node = replica / groups;
  const int cards = static_cast<int>(scenario.cluster.nodes[static_cast<std::size_t>(node)].devices.size());
  return {node, replica % groups * (cards / groups)};
}

Role role_of(const ServingSettings& serving, int replica) {
  if (serving.prefill_replicas == 0) return Role::whole;
  return replica < serving.prefill_replicas ? Role::prefill : Role::decode;
}

Result<std::vector<Scenario>> replica_scenarios(const Scenario& scenario) {
  const ServingSettings& serving = scenario.serving;
  if (serving.replicas == 1) return std::vector<Scenario>{scenario};
  if (scenario.wafers) {
    return fail("replicas are parts of a cluster; a chain of wafers is as long as its model needs",
                "leave \"serving\" out, or describe boxes in cluster.nodes");
  }
  std::vector<Scenario> replicas;
  for (int r = 0; r < serving.replicas; ++r) {
    Result<ClusterSettings> cluster = part_of(scenario.cluster, serving.replicas, r);
    if (!cluster) return fail(cluster.error());
    Scenario replica = scenario;
    replica.cluster = std::move(*cluster);
    const int prefill = serving.prefill_replicas;
    const int sharing = role_of(serving, r) == Role::prefill ? prefill : serving.replicas - prefill;
    replica.workload.users = std::ceil(scenario.workload.users / sharing);
    replicas.push_back(std::move(replica));
  }
  return replicas;
}

std::vector<Scenario> parts_left(const Scenario& replica, const std::set<std::string>& down) {
  std::vector<NodeSettings> nodes;
  for (NodeSettings node : replica.cluster.nodes) {
    if (down.contains(node.name)) continue;
    for (std::size_t i = 0; i < node.devices.size(); ++i) {
      if (down.contains(device_component(node.name, i)) && !is_unused(node, i))
        node.unused.push_back(static_cast<int>(i));
    }
    if (node.devices.empty() || has_cards_left(node)) nodes.push_back(std::move(node));
  }
  std::vector<Scenario> parts;
  const bool together = nodes.size() < 2 || !down.contains(kNetworkComponent);
  const std::size_t count = nodes.empty() ? 0 : together ? 1 : nodes.size();
  for (std::size_t i = 0; i < count; ++i) {
    Scenario part = replica;
    part.cluster.nodes = together ? nodes : std::vector<NodeSettings>{nodes[i]};
    parts.push_back(std::move(part));
  }
  return parts;
}

std::string part_words(const Scenario& part) {
  std::string words;
  for (const NodeSettings& node : part.cluster.nodes) {
    words += (words.empty() ? "" : " + ") + node.name;
    if (node.unused.empty()) continue;
    std::string cards;
    for (std::size_t i = 0; i < node.devices.size(); ++i) {
      if (!is_unused(node, i)) cards += fmt::format("{}{}", cards.empty() ? "" : ", ", i);
    }
    words += fmt::format(" (card {})", cards);
  }
  return words;
}

}  // namespace oblea
