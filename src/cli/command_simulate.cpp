#include <algorithm>
#include <cstdio>
#include <string>

#include <unistd.h>

#include "cli/commands.hpp"
#include "cli/inputs.hpp"
#include "io/text_file.hpp"
#include "io/timeline_file.hpp"
#include "study/simulate.hpp"

namespace oblea {
namespace {

constexpr int kBarWidth = 40;

// Redrawn in place, and wiped when the run is over.
void draw_progress(double share) {
  const int done = static_cast<int>(std::clamp(share, 0.0, 1.0) * kBarWidth);
  const std::string bar = std::string(static_cast<std::size_t>(done), '#') + std::string(kBarWidth - done, '.');
  if (share < 1)
    std::fprintf(stderr, "\r[%s] %3.0f %%", bar.c_str(), 100 * share);
  else
    std::fputs("\r\033[K", stderr);
  std::fflush(stderr);
}

bool write_timeline_file(const Simulation& simulation, const std::string& path) {
  const Result<bool> written = write_text_file(path, write_timeline(simulation.lanes, simulation.timeline));
  if (!written) print_bad_input(written.error());
  return written.has_value();
}

}  // namespace

// oblea simulate [SCENARIO] [--timeline FILE]
int command_simulate(const Options& options) {
  const Result<Inputs> inputs = load_inputs(options);
  if (!inputs) return print_bad_input(inputs.error());
  SimulateOptions simulate;
  simulate.step_by_step = options.step_by_step;
  simulate.timeline = !options.timeline_path.empty();
  if (isatty(STDERR_FILENO) != 0) simulate.progress = draw_progress;
  const Result<Simulation> simulation = run_simulate(inputs->scenario, inputs->profiles, inputs->timing, simulate);
  if (!simulation) return print_bad_input(simulation.error());
  const bool timeline_written = !simulate.timeline || write_timeline_file(*simulation, options.timeline_path);
  const int code = deliver(simulation->report, options);  // an answer is not lost with its timeline
  return timeline_written ? code : kEnvironmentFault;
}

}  // namespace oblea
