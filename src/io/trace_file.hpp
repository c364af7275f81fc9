// TraceFile: a file of requests that somebody sent, to requests that can be sent again.
//
// Four formats, told apart by what stands in them: oblea's own CSV (arrival_s, prompt_tokens, output_tokens, and where
// prompts begin alike prefix and prefix_tokens: io/trace/csv_trace.cpp), Azure's LLM inference traces of 2023 and 2024,
// BurstGPT, Mooncake's JSON lines. Limits: kMaxTraceBytes, kMaxTraceRows; of the recorded formats neither the model nor
// the session counts, and who asked is not known.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/result.hpp"
#include "workload/request.hpp"

namespace oblea {

struct Trace {
  std::vector<Request> requests;  // by arrival; of the recorded formats the earliest comes at 0
  std::uint64_t hash = 0;         // of the file's bytes
};

// Errors: every row at fault with its place. Warnings: rows that were out of order (and are sorted, equal ones in the
// file's order), recorded requests without prompt or answer (they failed: left out).
Result<Trace> read_trace(const std::string& path, Diagnostics& warnings);

// The same of a text; `file` is only a name for messages.
Result<Trace> parse_trace(const std::string& text, const std::string& file, Diagnostics& warnings);

}  // namespace oblea
