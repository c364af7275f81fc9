// One function a command: returns the exit code.
#pragma once

#include "base/diagnostic.hpp"
#include "cli/options.hpp"

namespace oblea {

inline constexpr int kBadInput = 2;
inline constexpr int kEnvironmentFault = 3;  // disk full, killed, no memory

int command_size(const Options& options);
int command_place(const Options& options);
int command_simulate(const Options& options);
int command_profiles_list(const Options& options);
int command_profiles_show(const Options& options);
int command_profiles_check(const Options& options);
int command_calibrate(const Options& options);
int command_import_model(const Options& options);
int command_import_machine(const Options& options);

// Diagnostics to standard error; the exit code of bad input, or that of the environment where it is at fault.
int print_bad_input(const Diagnostics& diagnostics);

}  // namespace oblea
