#include "study/components.hpp"

#include <gtest/gtest.h>

namespace oblea {
namespace {

TEST(Components, AreNodesTheirCardsAndTheNetworkBetweenSeveral) {
  ClusterSettings cluster;
  cluster.nodes.resize(2);
  cluster.nodes[0].name = "big";
  cluster.nodes[0].devices = {"rtx-3090", "rtx-3090"};
  cluster.nodes[1].name = "small";
  cluster.nodes[1].devices = {"rtx-3090"};
  std::vector<std::string> names;
  for (const Component& component : components_of(cluster)) names.push_back(component.name);
  EXPECT_EQ(names, (std::vector<std::string>{"big", "big/0", "big/1", "small", "small/0", "network"}));
  cluster.nodes.pop_back();
  EXPECT_EQ(components_of(cluster).size(), 3u) << "one node has no network";
}

}  // namespace
}  // namespace oblea
