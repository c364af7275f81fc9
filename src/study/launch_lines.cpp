#include "study/launch_lines.hpp"

#include <algorithm>

#include <fmt/core.h>

#include "base/printable.hpp"
#include "study/launch_parts.hpp"

namespace oblea {

std::string shell_word(const std::string& word) {
  constexpr std::string_view kPlain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-.,/:=+%@";
  if (!word.empty() && word.find_first_not_of(kPlain) == std::string::npos) return word;
  std::string quoted = "'";
  for (const char c : printable(word)) {
    if (c == '\'')
      quoted.append("'\\''");
    else
      quoted.push_back(c);
  }
  quoted.push_back('\'');
  return quoted;
}

std::vector<int> nodes_in_order(const Placement& placement, const PlanningDevices& planning) {
  std::vector<int> nodes;
  for (const Stage& stage : placement.stages) {
    for (const int device : stage.devices) {
      const int node = planning.nodes[static_cast<std::size_t>(device)];
      if (std::find(nodes.begin(), nodes.end(), node) == nodes.end()) nodes.push_back(node);
    }
  }
  return nodes;
}

std::string node_name(const Scenario& scenario, int node) {
  const auto index = static_cast<std::size_t>(node);
  return index < scenario.cluster.nodes.size() ? scenario.cluster.nodes[index].name : fmt::format("node{}", node + 1);
}

std::string join_numbers(const std::vector<int>& numbers) {
  std::string text;
  for (const int number : numbers) text += fmt::format("{}{}", text.empty() ? "" : ",", number);
  return text;
}

LaunchLines launch_lines(const Placement& placement, const PlanningDevices& planning, const Scenario& scenario) {
  switch (scenario.engine.kind) {
    case Engine::llama_cpp:
      return launch_llama_cpp(placement, planning, scenario);
    case Engine::vllm:
      return launch_vllm(placement, planning, scenario);
    case Engine::generic:
    case Engine::wafer:
    case Engine::distributed_llama:
      return {};
  }
  return {};
}

}  // namespace oblea
