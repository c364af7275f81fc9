// What the launch lines of every engine share: a placement seen node by node.
#pragma once

#include <string>
#include <vector>

#include "study/launch_lines.hpp"

namespace oblea {

// Arguments joined by spaces; what is added as `word` is quoted where a shell would take it apart.
class CommandLine {
 public:
  explicit CommandLine(std::string program) : text_(std::move(program)) {}
  CommandLine& flag(const char* name) {
    text_ += std::string(" ") + name;
    return *this;
  }
  CommandLine& flag(const char* name, const std::string& value) {
    text_ += std::string(" ") + name + " " + shell_word(value);
    return *this;
  }
  CommandLine& word(const std::string& value) {
    text_ += " " + shell_word(value);
    return *this;
  }
  std::string text() const { return text_; }

 private:
  std::string text_;
};

// The nodes that hold layers, in the order in which a token visits them.
std::vector<int> nodes_in_order(const Placement& placement, const PlanningDevices& planning);

std::string node_name(const Scenario& scenario, int node);

// "12,9,9"
std::string join_numbers(const std::vector<int>& numbers);

LaunchLines launch_llama_cpp(const Placement& placement, const PlanningDevices& planning, const Scenario& scenario);
LaunchLines launch_vllm(const Placement& placement, const PlanningDevices& planning, const Scenario& scenario);

}  // namespace oblea
