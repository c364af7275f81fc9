// ForkedRun: work in a child process, so that SimGrid's state, a crash or want of memory stays there.
#pragma once

#include <functional>
#include <string>

#include "base/result.hpp"

namespace oblea {

using Progress = std::function<void(double share)>;  // from 0 to 1

struct RunLimits {
  double cpu_seconds = 3600;               // a run that computes longer goes in circles
  double memory_bytes = 16.0 * (1 << 30);  // of addresses
};

// What `body` returns in a forked child, as often as one likes. It may call its own `progress`, never null; the calls
// reach `progress` here, unless that is null, and a last one of 1 when the child has ended.
// Errors, of severity `environment`: no process to be had; the child was killed, ran out of memory, failed a check,
// went in circles, threw (then its words are the message).
Result<std::string> run_forked(const std::function<std::string(const Progress& progress)>& body,
                               const Progress& progress = nullptr, const RunLimits& limits = {});

// An exception of an actor finds nobody on SimGrid's stack who catches it: from now on it ends the child as one from
// outside does. To be called when SimGrid has set its own handler; elsewhere than in a child it does nothing.
void expect_exceptions_of_actors();

}  // namespace oblea
