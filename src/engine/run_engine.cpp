#include "engine/run_engine.hpp"

#include <poll.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <new>

#include <fmt/core.h>

#include "base/check.hpp"
#include "engine/check_plan.hpp"
#include "engine/drivers.hpp"
#include "engine/result_bytes.hpp"

namespace oblea {
namespace {

constexpr int kOutOfMemory = 77;
constexpr rlim_t kSecondsOfCpu = 3600;  // a run that computes for an hour goes in circles
constexpr rlim_t kAddressSpace = 16ull << 30;

// What a child sends: 'p' and a share, then 'r' and the result to the end.
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

[[noreturn]] void be_child(int descriptor, const FleetPlan& plan, const EngineRequests& requests,
                           EngineOptions options) {
  const rlimit cpu{kSecondsOfCpu, kSecondsOfCpu};
  const rlimit memory{kAddressSpace, kAddressSpace};
  ::setrlimit(RLIMIT_CPU, &cpu);
  ::setrlimit(RLIMIT_AS, &memory);
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

namespace {

std::vector<LinkPlan> links_of(const FleetPlan& fleet) {
  std::vector<LinkPlan> links;
  for (const Replica& replica : fleet.replicas) {
    for (const Phase& phase : replica.phases) {
      if (phase.plan) links.insert(links.end(), phase.plan->links.begin(), phase.plan->links.end());
    }
  }
  return links;
}

// Several passes at once on one link share it as SimGrid says: no closed form.
bool shares_links(const FleetPlan& fleet) {
  const auto shares = [](const Phase& phase) {
    if (!phase.plan || group_count(phase.plan->serving) < 2) return false;
    const std::vector<StagePlan>& stages = phase.plan->stages;
    return std::any_of(stages.begin(), stages.end(), [](const StagePlan& s) { return s.hop_link >= 0; });
  };
  return std::any_of(fleet.replicas.begin(), fleet.replicas.end(), [&](const Replica& replica) {
    return std::any_of(replica.phases.begin(), replica.phases.end(), shares);
  });
}

}  // namespace

EngineResult run_engine_here(const FleetPlan& plan, const EngineRequests& requests, const EngineOptions& options) {
  OBLEA_CHECK(check_run(plan, requests).empty(), "the caller has checked the plan");
  Fleet fleet(plan, requests, options);
  SimulatedTime time(links_of(plan));
  if (options.step_by_step || shares_links(plan))
    drive_step_by_step(fleet, time);
  else
    drive_by_events(fleet, time);
  time.run();
  return fleet.take_result();
}

Result<EngineResult> run_engine(const EnginePlan& plan, const EngineRequests& requests, const EngineOptions& options) {
  return run_engine(fleet_of(plan), requests, options);
}

Result<EngineResult> run_engine(const FleetPlan& plan, const EngineRequests& requests, const EngineOptions& options) {
  if (Diagnostics faults = check_run(plan, requests); !faults.empty()) return fail(std::move(faults));
  int ends[2];
  if (::pipe(ends) != 0) return fail(fmt::format("no pipe for the run: {}", std::strerror(errno)));
  std::fflush(nullptr);  // else the child prints once more what waits to be printed
  const pid_t child = ::fork();
  if (child < 0) return fail(fmt::format("no process for the run: {}", std::strerror(errno)));
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
  const bool done = WIFEXITED(status) && WEXITSTATUS(status) == 0 && !received.empty() && received[0] == 'r';
  if (!done) return fail(why_it_ended(status));
  return from_bytes(std::string_view(received).substr(1));
}

}  // namespace oblea
