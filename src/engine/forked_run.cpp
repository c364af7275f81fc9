#include "engine/forked_run.hpp"

#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <new>

#include <fmt/core.h>

namespace oblea {
namespace {

constexpr int kOutOfMemory = 77;
constexpr rlim_t kSecondsOfCpu = 3600;  // a run that computes for an hour goes in circles
constexpr rlim_t kAddressSpace = 16ull << 30;

// A child sends 'p' and a share as often as it likes, then 'r' and the result to the end.
void send(int descriptor, const std::string& bytes) {
  for (std::size_t sent = 0; sent < bytes.size();) {
    const ssize_t n = ::write(descriptor, bytes.data() + sent, bytes.size() - sent);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) ::_exit(1);  // nobody listens any more
    sent += static_cast<std::size_t>(n);
  }
}

[[noreturn]] void be_child(int descriptor, const std::function<std::string(const Progress&)>& body, bool tells) {
  const rlimit cpu{kSecondsOfCpu, kSecondsOfCpu};
  const rlimit memory{kAddressSpace, kAddressSpace};
  ::setrlimit(RLIMIT_CPU, &cpu);
  ::setrlimit(RLIMIT_AS, &memory);
  const Progress progress = [descriptor, tells](double share) {
    if (!tells) return;
    std::string bytes(1, 'p');
    bytes.append(reinterpret_cast<const char*>(&share), sizeof share);
    send(descriptor, bytes);
  };
  try {
    std::string bytes = body(progress);
    bytes.insert(bytes.begin(), 'r');
    send(descriptor, bytes);
  } catch (const std::bad_alloc&) {
    ::_exit(kOutOfMemory);
  } catch (...) {
    ::_exit(1);
  }
  ::_exit(0);  // without destructors: SimGrid's state dies with the process
}

std::string why_it_ended(int status) {
  if (WIFSIGNALED(status)) {
    const int signal = WTERMSIG(status);
    if (signal == SIGKILL) return "the run was killed, perhaps for want of memory";
    if (signal == SIGXCPU) return fmt::format("the run computed for {} s without an end", kSecondsOfCpu);
    if (signal == SIGABRT) return "the run stopped at a check that failed: a fault of oblea";
    return fmt::format("the run was ended by signal {} ({})", signal, strsignal(signal));
  }
  if (WEXITSTATUS(status) == kOutOfMemory) return "the run is out of memory";
  return "the run ended without a result";
}

// Hands on progress; the rest is the result.
std::string listen(int descriptor, const Progress& progress) {
  std::string received;
  std::size_t read_up_to = 0;
  char buffer[1 << 16];
  for (;;) {
    const ssize_t n = ::read(descriptor, buffer, sizeof buffer);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) break;
    received.append(buffer, static_cast<std::size_t>(n));
    while (read_up_to + 1 + sizeof(double) <= received.size() && received[read_up_to] == 'p') {
      double share = 0;
      std::memcpy(&share, received.data() + read_up_to + 1, sizeof share);
      if (progress) progress(share);
      read_up_to += 1 + sizeof share;
    }
  }
  return received.substr(read_up_to);
}

}  // namespace

Result<std::string> run_forked(const std::function<std::string(const Progress& progress)>& body,
                               const Progress& progress) {
  int ends[2];
  if (::pipe(ends) != 0) return fail(fmt::format("no pipe for the run: {}", std::strerror(errno)));
  std::fflush(nullptr);  // else the child prints once more what waits to be printed
  const pid_t child = ::fork();
  if (child < 0) {
    const int why = errno;
    ::close(ends[0]);
    ::close(ends[1]);
    return fail(fmt::format("no process for the run: {}", std::strerror(why)));
  }
  if (child == 0) {
    ::close(ends[0]);
    be_child(ends[1], body, progress != nullptr);
  }
  ::close(ends[1]);
  std::string received = listen(ends[0], progress);
  ::close(ends[0]);
  int status = 0;
  while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  const bool done = WIFEXITED(status) && WEXITSTATUS(status) == 0 && !received.empty() && received[0] == 'r';
  if (!done) return fail(why_it_ended(status));
  received.erase(0, 1);
  return received;
}

}  // namespace oblea
