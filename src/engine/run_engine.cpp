#include "engine/run_engine.hpp"

#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <exception>
#include <new>

#include <fmt/core.h>

#include "base/check.hpp"
#include "engine/check_plan.hpp"
#include "engine/drivers.hpp"
#include "engine/result_bytes.hpp"

namespace oblea {
namespace {

constexpr int kOutOfMemory = 77;
constexpr int kStopped = 78;  // it has sent why

// What a child sends: 'p' and a share, then to the end 'r' and the result, or 'f' and what stopped the run.
class Channel {
 public:
  explicit Channel(int descriptor) : descriptor_(descriptor) {}
  void send(const std::string& bytes) const {
    for (std::size_t sent = 0; sent < bytes.size();) {
      const ssize_t n = ::write(descriptor_, bytes.data() + sent, bytes.size() - sent);
      if (n < 0 && errno == EINTR) continue;
      if (n <= 0) ::_exit(1);  // nobody listens any more
      sent += static_cast<std::size_t>(n);
    }
  }

 private:
  int descriptor_;
};

int descriptor_of_child = -1;

// An exception of an actor finds nobody on SimGrid's stack who catches it: it ends here, as one from outside does.
[[noreturn]] void end_by_exception() {
  try {
    std::rethrow_exception(std::current_exception());
  } catch (const std::bad_alloc&) {
    ::_exit(kOutOfMemory);
  } catch (const std::exception& error) {
    Channel(descriptor_of_child).send(fmt::format("f{}", error.what()));
    ::_exit(kStopped);
  } catch (...) {
    ::_exit(1);
  }
}

// The hard limit is a second later: at the hard one the kernel kills, as it does for want of memory.
void set_limits(const EngineOptions& options) {
  const auto seconds = static_cast<rlim_t>(options.cpu_seconds_max);
  const auto bytes = static_cast<rlim_t>(options.memory_bytes_max);
  const rlimit cpu{seconds, seconds + 1};
  const rlimit memory{bytes, bytes};
  ::setrlimit(RLIMIT_CPU, &cpu);
  ::setrlimit(RLIMIT_AS, &memory);
}

[[noreturn]] void be_child(int descriptor, const EnginePlan& plan, const EngineRequests& requests,
                           EngineOptions options) {
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);  // whoever waits for the answer is gone: so is the run
  set_limits(options);
  descriptor_of_child = descriptor;
  const Channel channel(descriptor);
  if (options.progress) {
    options.progress = [&channel](double share) {
      std::string bytes(1, 'p');
      bytes.append(reinterpret_cast<const char*>(&share), sizeof share);
      channel.send(bytes);
    };
  }
  try {
    std::string bytes = to_bytes(run_engine_here(plan, requests, options));
    bytes.insert(bytes.begin(), 'r');
    channel.send(bytes);
  } catch (...) {
    end_by_exception();
  }
  ::_exit(0);  // without destructors: SimGrid's state dies with the process
}

std::string why_it_ended(int status, const EngineOptions& options) {
  if (WIFSIGNALED(status)) {
    const int signal = WTERMSIG(status);
    if (signal == SIGKILL) return "the run was killed, perhaps for want of memory";
    if (signal == SIGXCPU) return fmt::format("the run computed for {} s without an end", options.cpu_seconds_max);
    if (signal == SIGABRT) return "the run stopped at a check that failed: a fault of oblea";
    return fmt::format("the run was ended by signal {} ({})", signal, strsignal(signal));
  }
  if (WEXITSTATUS(status) == kOutOfMemory) return "the run is out of memory";
  return "the run ended without a result";
}

// Hands on progress; the rest is the result.
std::string listen(int descriptor, const EngineOptions& options) {
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
      if (options.progress) options.progress(share);
      read_up_to += 1 + sizeof share;
    }
  }
  return received.substr(read_up_to);
}

}  // namespace

EngineResult run_engine_here(const EnginePlan& plan, const EngineRequests& requests, const EngineOptions& options) {
  OBLEA_CHECK(check_run(plan, requests).empty(), "the caller has checked the plan");
  Server server(plan, requests, options);
  SimulatedTime time(plan);
  if (descriptor_of_child >= 0) std::set_terminate(end_by_exception);  // after SimGrid has set its own
  // Several passes at once on one link share it as SimGrid says: no closed form.
  const bool shares_links = server.groups() > 1 && std::any_of(plan.stages.begin(), plan.stages.end(),
                                                               [](const StagePlan& s) { return s.hop_link >= 0; });
  if (options.step_by_step || shares_links)
    drive_step_by_step(server, time);
  else if (server.groups() > 1)
    drive_groups(server, time);
  else
    drive_in_rows(server, time);
  time.run();
  return server.take_result(SimulatedTime::now());
}

Result<EngineResult> run_engine(const EnginePlan& plan, const EngineRequests& requests, const EngineOptions& options) {
  if (Diagnostics faults = check_run(plan, requests); !faults.empty()) return fail(std::move(faults));
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0) return fail(fmt::format("no pipe for the run: {}", std::strerror(errno)));
  std::fflush(nullptr);  // else the child prints once more what waits to be printed
  const pid_t child = ::fork();
  if (child < 0) {
    const std::string reason = std::strerror(errno);
    ::close(ends[0]);
    ::close(ends[1]);
    return fail(fmt::format("no process for the run: {}", reason));
  }
  if (child == 0) {
    ::close(ends[0]);
    be_child(ends[1], plan, requests, options);
  }
  ::close(ends[1]);
  const std::string received = listen(ends[0], options);
  ::close(ends[0]);
  int status = 0;
  while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  if (options.progress) options.progress(1);  // of a run that failed too: there is no more to come
  const bool done = WIFEXITED(status) && WEXITSTATUS(status) == 0 && !received.empty() && received[0] == 'r';
  if (done) return from_bytes(std::string_view(received).substr(1));
  const bool says_why = WIFEXITED(status) && WEXITSTATUS(status) == kStopped && !received.empty();
  return fail(says_why ? "the run stopped: " + received.substr(1) : why_it_ended(status, options));
}

}  // namespace oblea
