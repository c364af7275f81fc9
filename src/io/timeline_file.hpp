// TimelineFile: a run as Chrome trace JSON, which Perfetto and chrome://tracing open: a lane a stage.
#pragma once

#include <string>
#include <vector>

#include "engine/engine_result.hpp"

namespace oblea {

// Times in microseconds, as the format wants. Example: a span of 0.5 to 0.75 s on stage 1 is {"ph": "X", "ts": 500000,
// "dur": 250000, "tid": 1}.
std::string write_timeline(const std::vector<std::string>& lanes, const std::vector<Span>& timeline);

}  // namespace oblea
