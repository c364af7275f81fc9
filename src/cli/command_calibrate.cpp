#include <cstdio>
#include <map>

#include <fmt/core.h>

#include "cli/commands.hpp"
#include "io/measurements.hpp"
#include "io/model_file.hpp"
#include "io/read_profiles.hpp"
#include "io/text_file.hpp"
#include "io/timing_parameters_file.hpp"
#include "study/calibrate.hpp"

namespace oblea {
namespace {

// The newest measurement dates the fit, so that the same rows give the same file.
std::string newest_date(const std::vector<Measurement>& rows) {
  std::string newest;
  for (const Measurement& row : rows) newest = std::max(newest, row.date);
  return newest;
}

Result<std::map<std::string, ModelSpec>> read_models_of(const std::vector<Measurement>& rows,
                                                        const std::string& folder) {
  std::map<std::string, ModelSpec> models;
  Diagnostics faults, warnings;
  for (const Measurement& row : rows) {
    if (models.contains(row.model)) continue;
    Result<ModelSpec> model = find_model(folder, row.model, warnings);
    if (model)
      models[row.model] = std::move(*model);
    else
      faults.insert(faults.end(), model.error().begin(), model.error().end());
  }
  if (!faults.empty()) return fail(std::move(faults));
  return models;
}

}  // namespace

// oblea calibrate [MEASUREMENTS] [--write]
int command_calibrate(const Options& options) {
  const std::string input = options.input.empty()
                                ? options.profiles_folder + "/../tests/validation/measurements/single-device.json"
                                : options.input;
  const auto rows = read_measurements(input);
  if (!rows) return print_bad_input(rows.error());
  const auto library = read_profile_library(options.profiles_folder);
  if (!library) return print_bad_input(library.error());
  const auto models = read_models_of(*rows, options.models_folder);
  if (!models) return print_bad_input(models.error());
  const auto calibration = calibrate(*rows, library->devices, *models, newest_date(*rows));
  if (!calibration) return print_bad_input(calibration.error());
  std::fputs(print_calibration(*calibration).c_str(), stdout);
  if (!options.write) return 0;
  const std::string path = options.profiles_folder + "/timing/llama-cpp.json";
  const auto written = write_text_file(path, print_timing_parameters(calibration->parameters));
  if (!written) {
    std::fputs(print_diagnostics(written.error()).c_str(), stderr);
    return kEnvironmentFault;
  }
  fmt::print("wrote {}\n", path);
  return 0;
}

}  // namespace oblea
