#include "support/run_command.hpp"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <stdexcept>
#include <thread>

extern char** environ;

namespace oblea::test {
namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

double seconds_of(const timeval& time) {
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) * 1e-6;
}

struct Pipe {
  int read = -1;
  int write = -1;
  Pipe() {
    int ends[2];
    if (::pipe2(ends, O_CLOEXEC) != 0) throw std::runtime_error("no pipe");
    read = ends[0];
    write = ends[1];
  }
};

// True while the pipe is open.
bool take(int descriptor, std::string& text) {
  char buffer[1 << 16];
  const ssize_t n = ::read(descriptor, buffer, sizeof buffer);
  if (n > 0) text.append(buffer, static_cast<std::size_t>(n));
  return n > 0;
}

}  // namespace

CommandResult run_command(const std::vector<std::string>& words, double limit_s) {
  std::vector<char*> arguments;
  for (const std::string& word : words) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  Pipe out, err;
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_adddup2(&actions, out.write, 1);
  posix_spawn_file_actions_adddup2(&actions, err.write, 2);
  const Clock::time_point start = Clock::now();
  pid_t child = 0;
  const int failed = ::posix_spawnp(&child, arguments[0], &actions, nullptr, arguments.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  ::close(out.write);
  ::close(err.write);
  if (failed != 0) throw std::runtime_error("cannot run " + words.front());

  CommandResult result;
  pollfd open[2] = {{out.read, POLLIN, 0}, {err.read, POLLIN, 0}};
  while (open[0].fd >= 0 || open[1].fd >= 0) {
    const double left = limit_s - seconds_since(start);
    if (left <= 0 || ::poll(open, 2, static_cast<int>(left * 1000) + 1) == 0) ::kill(child, SIGKILL);
    if (open[0].revents != 0 && !take(out.read, result.out)) open[0].fd = -1;
    if (open[1].revents != 0 && !take(err.read, result.err)) open[1].fd = -1;
  }
  int status = 0;
  rusage usage{};
  ::wait4(child, &status, 0, &usage);
  result.wall_s = seconds_since(start);
  result.cpu_s = seconds_of(usage.ru_utime) + seconds_of(usage.ru_stime);
  result.exit_code = WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
  ::close(out.read);
  ::close(err.read);
  return result;
}

bool is_machine_busy() {
  double load = 0;
  return ::getloadavg(&load, 1) == 1 && load > std::thread::hardware_concurrency();
}

CommandResult run_oblea(std::vector<std::string> arguments) {
  arguments.insert(arguments.begin(), OBLEA_BINARY);
  return run_command(arguments);
}

}  // namespace oblea::test
