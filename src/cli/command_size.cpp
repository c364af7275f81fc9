#include "cli/commands.hpp"
#include "cli/inputs.hpp"
#include "study/size.hpp"

namespace oblea {

int command_size(const Options& options) {
  const Result<Inputs> inputs = load_inputs(options);
  if (!inputs) return print_bad_input(inputs.error());
  const Result<Report> report = run_size(inputs->scenario, inputs->profiles, inputs->timing);
  return report ? deliver(*report, options) : print_bad_input(report.error());
}

}  // namespace oblea
