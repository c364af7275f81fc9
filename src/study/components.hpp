// Components: what of a cluster can fail, by the names that a scenario gives it.
#pragma once

#include <string>
#include <vector>

#include "study/scenario.hpp"

namespace oblea {

enum class ComponentKind { node, device, network };

struct Component {
  std::string name;
  ComponentKind kind = ComponentKind::node;
};

inline constexpr const char* kNetworkComponent = "network";

// Card `index` of a node, from 0. Example: "big/0".
std::string device_component(const std::string& node, std::size_t index);

// Each node followed by its cards; then the network, where there are several nodes. A box's own device (SoC) fails with
// its node. Example: nodes "big" with two cards and "small" with one: big, big/0, big/1, small, small/0, network.
std::vector<Component> components_of(const ClusterSettings& cluster);

}  // namespace oblea
