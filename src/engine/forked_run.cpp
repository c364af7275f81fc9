#include "engine/forked_run.hpp"

#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <exception>
#include <new>

#include <fmt/core.h>

namespace oblea {
namespace {

constexpr int kOutOfMemory = 77;
constexpr int kStopped = 78;  // it has sent why

// A child sends 'p' and a share as often as it likes, then to the end 'r' and the result, or 'f' and what stopped it.
void send(int descriptor, const std::string& bytes) {
  for (std::size_t sent = 0; sent < bytes.size();) {
    const ssize_t n = ::write(descriptor, bytes.data() + sent, bytes.size() - sent);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) ::_exit(1);  // nobody listens any more
    sent += static_cast<std::size_t>(n);
  }
}

int descriptor_of_child = -1;

[[noreturn]] void end_by_exception() {
  try {
    std::rethrow_exception(std::current_exception());
  } catch (const std::bad_alloc&) {
    ::_exit(kOutOfMemory);
  } catch (const std::exception& error) {
    send(descriptor_of_child, fmt::format("f{}", error.what()));
    ::_exit(kStopped);
  } catch (...) {
    ::_exit(1);
  }
}

#if defined(__SANITIZE_ADDRESS__)
constexpr bool kIsSanitized = true;  // AddressSanitizer maps terabytes of addresses
#else
constexpr bool kIsSanitized = false;
#endif

// The hard limit is a second later: at the hard one the kernel kills, as it does for want of memory.
void set_limits(const RunLimits& limits) {
  const auto seconds = static_cast<rlim_t>(limits.cpu_seconds);
  const auto bytes = static_cast<rlim_t>(limits.memory_bytes);
  const rlimit cpu{seconds, seconds + 1};
  const rlimit memory{bytes, bytes};
  ::setrlimit(RLIMIT_CPU, &cpu);
  if (!kIsSanitized) ::setrlimit(RLIMIT_AS, &memory);
}

[[noreturn]] void be_child(int descriptor, const std::function<std::string(const Progress&)>& body, bool tells,
                           const RunLimits& limits) {
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);  // whoever waits for the answer is gone: so is the run
  set_limits(limits);
  descriptor_of_child = descriptor;
  const Progress progress = [descriptor, tells](double share) {
    if (!tells) return;
    std::string bytes(1, 'p');
    bytes.append(reinterpret_cast<const char*>(&share), sizeof share);
    send(descriptor, bytes);
  };
  try {
    std::string bytes = body(progress);
    send(descriptor, "r");
    send(descriptor, bytes);
  } catch (...) {
    end_by_exception();
  }
  ::_exit(0);  // without destructors: SimGrid's state dies with the process
}

std::string why_it_ended(int status, const RunLimits& limits) {
  if (WIFSIGNALED(status)) {
    const int signal = WTERMSIG(status);
    if (signal == SIGKILL) return "the run was killed, perhaps for want of memory";
    if (signal == SIGXCPU) return fmt::format("the run computed for {} s without an end", limits.cpu_seconds);
    if (signal == SIGABRT) return "the run stopped at a check that failed: a fault of oblea";
    return fmt::format("the run was ended by signal {} ({})", signal, strsignal(signal));
  }
  if (WEXITSTATUS(status) == kOutOfMemory) return "the run is out of memory";
  return "the run ended without a result";
}

// Takes whole messages of progress off the front of what has come.
void tell(std::string& received, const Progress& progress) {
  while (received.size() >= 1 + sizeof(double) && received[0] == 'p') {
    double share = 0;
    std::memcpy(&share, received.data() + 1, sizeof share);
    if (progress) progress(share);
    received.erase(0, 1 + sizeof share);
  }
}

// Hands on progress; the rest is the result.
std::string listen(int descriptor, const Progress& progress) {
  std::string received;
  char buffer[1 << 16];
  for (;;) {
    const ssize_t n = ::read(descriptor, buffer, sizeof buffer);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) break;
    received.append(buffer, static_cast<std::size_t>(n));
    tell(received, progress);
  }
  return received;
}

tl::unexpected<Diagnostics> failed(std::string message) {
  return tl::unexpected(Diagnostics{{Severity::environment, {}, std::move(message), ""}});
}

}  // namespace

void expect_exceptions_of_actors() {
  if (descriptor_of_child >= 0) std::set_terminate(end_by_exception);
}

Result<std::string> run_forked(const std::function<std::string(const Progress& progress)>& body,
                               const Progress& progress, const RunLimits& limits) {
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0) return failed(fmt::format("no pipe for the run: {}", std::strerror(errno)));
  std::fflush(nullptr);  // else the child prints once more what waits to be printed
  const pid_t child = ::fork();
  if (child < 0) {
    const std::string reason = std::strerror(errno);
    ::close(ends[0]);
    ::close(ends[1]);
    return failed(fmt::format("no process for the run: {}", reason));
  }
  if (child == 0) {
    ::close(ends[0]);
    be_child(ends[1], body, progress != nullptr, limits);
  }
  ::close(ends[1]);
  std::string received = listen(ends[0], progress);
  ::close(ends[0]);
  int status = 0;
  while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  if (progress) progress(1);  // of a run that failed too: there is no more to come
  if (WIFEXITED(status) && WEXITSTATUS(status) == 0 && !received.empty() && received[0] == 'r') {
    received.erase(0, 1);
    return received;
  }
  const bool says_why = WIFEXITED(status) && WEXITSTATUS(status) == kStopped && !received.empty();
  return failed(says_why ? "the run stopped: " + received.substr(1) : why_it_ended(status, limits));
}

}  // namespace oblea
