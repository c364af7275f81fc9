// The repository's own files as a test sees them: library, timing parameters, scenarios, and the reports made of them.
#pragma once

#include <string>
#include <vector>

#include "hardware/library.hpp"
#include "io/scenario_file.hpp"
#include "report/report.hpp"
#include "study/scenario.hpp"
#include "timing/timing_parameters.hpp"

namespace oblea::test {

std::string repository_path(const std::string& relative);  // "scenarios/wafer/kimi-k3.json"

const ProfileLibrary& repository_library();
const TimingParameters& repository_timing();

// Everything below throws with the diagnostics where the input is at fault.
Scenario repository_scenario(const std::string& relative, const std::vector<ScenarioSetting>& settings = {});
Scenario scenario_of(const std::vector<ScenarioSetting>& settings);
ModelSpec repository_model(const std::string& id);

Report place_repository(const std::string& relative, const std::vector<ScenarioSetting>& settings = {});
Report size_of(const Scenario& scenario);

// Value of a figure; fails the test and gives NaN where there is none.
double value_of(const std::vector<Metric>& metrics, const std::string& name);

const Verdict* find_verdict(const std::vector<Verdict>& verdicts, const std::string& name);
const OptionRow* find_option(const Report& report, const std::string& name);

}  // namespace oblea::test
