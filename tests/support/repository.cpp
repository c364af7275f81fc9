#include "support/repository.hpp"

#include <cmath>
#include <limits>
#include <stdexcept>

#include <gtest/gtest.h>

#include "io/model_file.hpp"
#include "io/read_profiles.hpp"
#include "io/timing_parameters_file.hpp"
#include "study/place.hpp"
#include "study/size.hpp"

namespace oblea::test {
namespace {

template <class T>
T taken(Result<T> result) {
  if (!result) throw std::runtime_error(print_diagnostics(result.error()));
  return std::move(*result);
}

const std::string kModels = repository_path("scenarios/models");

}  // namespace

std::string repository_path(const std::string& relative) {
  return std::string(OBLEA_SOURCE_DIRECTORY) + "/" + relative;
}

const ProfileLibrary& repository_library() {
  static const ProfileLibrary library = taken(read_profile_library(repository_path("hardware-profiles")));
  return library;
}

const TimingParameters& repository_timing() {
  static const TimingParameters timing =
      taken(read_timing_parameters(repository_path("hardware-profiles/timing/llama-cpp.json")));
  return timing;
}

Scenario repository_scenario(const std::string& relative, const std::vector<ScenarioSetting>& settings) {
  Diagnostics warnings;
  const std::string path = relative.empty() ? "" : repository_path(relative);
  return taken(read_scenario(path, settings, repository_library(), kModels, warnings));
}

Scenario scenario_of(const std::vector<ScenarioSetting>& settings) { return repository_scenario("", settings); }

ModelSpec repository_model(const std::string& id) {
  Diagnostics warnings;
  return taken(find_model(kModels, id, warnings));
}

Report place_repository(const std::string& relative, const std::vector<ScenarioSetting>& settings) {
  return taken(run_place(repository_scenario(relative, settings), repository_library(), repository_timing()));
}

Report size_of(const Scenario& scenario) {
  return taken(run_size(scenario, repository_library(), repository_timing()));
}

double value_of(const std::vector<Metric>& metrics, const std::string& name) {
  const Metric* metric = find_metric(metrics, name);
  if (metric != nullptr) return metric->value;
  ADD_FAILURE() << "no figure " << name;
  return std::numeric_limits<double>::quiet_NaN();
}

const Verdict* find_verdict(const std::vector<Verdict>& verdicts, const std::string& name) {
  for (const Verdict& verdict : verdicts) {
    if (verdict.name == name) return &verdict;
  }
  return nullptr;
}

const OptionRow* find_option(const Report& report, const std::string& name) {
  for (const OptionRow& row : report.options) {
    if (row.name == name) return &row;
  }
  return nullptr;
}

}  // namespace oblea::test
