// Runs a command as a user would and keeps what it printed, how it ended and how long it took.
#pragma once

#include <string>
#include <vector>

namespace oblea::test {

struct CommandResult {
  int exit_code = -1;  // 128 + signal where a signal ended it
  std::string out;
  std::string err;
  double wall_s = 0;
  double cpu_s = 0;  // user and system
};

// Without a shell: the first word is the program. Standard input is empty. Killed after `limit_s`.
CommandResult run_command(const std::vector<std::string>& words, double limit_s = 60);

// True while more wants to run than the machine has processors: wall times then say little.
bool is_machine_busy();

// The binary under test with these arguments.
CommandResult run_oblea(std::vector<std::string> arguments);

}  // namespace oblea::test
