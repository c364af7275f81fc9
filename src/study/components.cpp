#include "study/components.hpp"

#include <fmt/core.h>

namespace oblea {

std::string device_component(const std::string& node, std::size_t index) { return fmt::format("{}/{}", node, index); }

std::vector<Component> components_of(const ClusterSettings& cluster) {
  std::vector<Component> components;
  for (const NodeSettings& node : cluster.nodes) {
    components.push_back({node.name, ComponentKind::node});
    for (std::size_t i = 0; i < node.devices.size(); ++i) {
      components.push_back({device_component(node.name, i), ComponentKind::device});
    }
  }
  if (cluster.nodes.size() > 1) components.push_back({kNetworkComponent, ComponentKind::network});
  return components;
}

}  // namespace oblea
