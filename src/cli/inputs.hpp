// Inputs: what every command on a scenario needs, loaded once: library, timing parameters, scenario.
#pragma once

#include "base/result.hpp"
#include "cli/options.hpp"
#include "hardware/library.hpp"
#include "report/print_report.hpp"
#include "report/report.hpp"
#include "study/scenario.hpp"
#include "timing/timing_parameters.hpp"

namespace oblea {

struct Inputs {
  ProfileLibrary profiles;
  TimingParameters timing;
  Scenario scenario;
};

// Reads everything the options name. Warnings go to standard error, faults come back all at once.
Result<Inputs> load_inputs(const Options& options);

// Writes the report where the options say; the exit code: 0, 1 for a --fail-on verdict, 3 where a file cannot be
// written.
int deliver(const Report& report, const Options& options);

}  // namespace oblea
