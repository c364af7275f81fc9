#include "cli/run.hpp"

#include <algorithm>
#include <cstdio>
#include <exception>
#include <map>

#include "cli/commands.hpp"

namespace oblea {

int print_bad_input(const Diagnostics& diagnostics) {
  std::fputs(print_diagnostics(diagnostics).c_str(), stderr);
  const bool is_ours = std::any_of(diagnostics.begin(), diagnostics.end(),
                                   [](const Diagnostic& d) { return d.severity == Severity::environment; });
  return is_ours ? kEnvironmentFault : kBadInput;
}

int run(int argument_count, char** arguments) {
  static const std::map<std::string, int (*)(const Options&)> commands = {
      {"size", command_size},
      {"place", command_place},
      {"simulate", command_simulate},
      {"profiles list", command_profiles_list},
      {"profiles show", command_profiles_show},
      {"profiles check", command_profiles_check},
      {"calibrate", command_calibrate},
      {"import model", command_import_model},
      {"import machine", command_import_machine},
  };
  try {
    const ParsedOptions parsed = parse_options(argument_count, arguments);
    if (parsed.exit_code) return *parsed.exit_code;
    return commands.at(parsed.options.command)(parsed.options);
  } catch (const std::bad_alloc&) {
    std::fputs("oblea: out of memory\n", stderr);
    return kEnvironmentFault;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "oblea: %s\n", error.what());
    return kEnvironmentFault;
  }
}

}  // namespace oblea
