#include "cli/inputs.hpp"

#include <algorithm>
#include <cstdio>

#include "base/check.hpp"
#include "cli/commands.hpp"
#include "io/read_profiles.hpp"
#include "io/report_csv.hpp"
#include "io/report_json.hpp"
#include "io/scenario_file.hpp"
#include "io/text_file.hpp"
#include "io/timing_parameters_file.hpp"

namespace oblea {
namespace {

void print_warnings(const Diagnostics& warnings) { std::fputs(print_diagnostics(warnings).c_str(), stderr); }

// "-" is standard output. True when all of it was written.
bool write_out(const std::string& path, const std::string& text) {
  if (path == "-") {
    const bool written = std::fwrite(text.data(), 1, text.size(), stdout) == text.size();
    return std::fflush(stdout) == 0 && written;
  }
  const Result<bool> written = write_text_file(path, text);
  if (!written) print_bad_input(written.error());
  return written.has_value();
}

bool fails(const Report& report, const std::vector<std::string>& fail_on) {
  const auto named = [&](const Verdict& verdict) {
    return verdict.answer != Answer::yes && std::find(fail_on.begin(), fail_on.end(), verdict.name) != fail_on.end();
  };
  return std::any_of(report.verdicts.begin(), report.verdicts.end(), named);
}

}  // namespace

Result<Inputs> load_inputs(const Options& options) {
  Inputs inputs;
  Diagnostics warnings;
  Result<ProfileLibrary> library = read_profile_library(options.profiles_folder);
  if (!library) return fail(library.error());
  inputs.profiles = std::move(*library);
  for (const std::string& path : options.extra_profiles) {
    const Result<bool> added = add_profile_file(inputs.profiles, path, warnings);
    if (!added) return fail(added.error());
  }
  Result<TimingParameters> timing = read_timing_parameters(options.profiles_folder + "/timing/llama-cpp.json");
  if (!timing) return fail(timing.error());
  inputs.timing = std::move(*timing);
  std::vector<ScenarioSetting> settings;
  for (const Override& o : options.overrides) settings.push_back({o.path, o.value, o.origin});
  Result<Scenario> scenario = read_scenario(options.input, settings, inputs.profiles, options.models_folder, warnings);
  if (!scenario) return fail(scenario.error());
  inputs.scenario = std::move(*scenario);
  set_check_context(0, inputs.scenario.input_hash.c_str());  // nothing is random yet: no seed
  print_warnings(warnings);
  return inputs;
}

int deliver(const Report& report, const Options& options) {
  const bool json_on_screen = options.json_path == "-" || options.csv_path == "-";
  bool written = true;
  if (!options.json_path.empty()) written = write_out(options.json_path, write_report_json(report)) && written;
  if (!options.csv_path.empty()) written = write_out(options.csv_path, write_report_csv(report)) && written;
  if (!json_on_screen) written = write_out("-", print_report(report, {.builds = options.show_count})) && written;
  if (!written) {
    std::fputs("oblea: the report could not be written whole\n", stderr);
    return kEnvironmentFault;
  }
  return fails(report, options.fail_on) ? 1 : 0;
}

}  // namespace oblea
