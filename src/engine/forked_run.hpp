// ForkedRun: work in a child process, so that SimGrid's state, a crash or want of memory stays there.
#pragma once

#include <functional>
#include <string>

#include "base/result.hpp"

namespace oblea {

using Progress = std::function<void(double share)>;  // from 0 to 1

// What `body` returns in a forked child. It may call its own `progress`, never null, as often as it likes; the calls
// reach `progress` here, unless that is null. The child has 16 GiB of addresses and an hour of CPU.
// Errors: no process to be had; the child was killed, ran out of memory, failed a check, went in circles, threw.
Result<std::string> run_forked(const std::function<std::string(const Progress& progress)>& body,
                               const Progress& progress = nullptr);

}  // namespace oblea
