// Launch lines: the command of the real engine that puts the layers where the placement put them.
#pragma once

#include <string>
#include <vector>

#include "placement/placement.hpp"
#include "report/report.hpp"
#include "study/planning.hpp"
#include "study/scenario.hpp"

namespace oblea {

struct LaunchLines {
  std::vector<LaunchLine> lines;  // in the order in which they are to be started
  std::string why_none;  // where the engine cannot be told to do this; empty for engines without a command line
};

LaunchLines launch_lines(const Placement& placement, const PlanningDevices& planning, const Scenario& scenario);

// A word as a POSIX shell takes it: quoted where it holds anything but letters, digits and _ - . , / : = + % @.
std::string shell_word(const std::string& word);

}  // namespace oblea
