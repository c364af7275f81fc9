#include "io/trace/rows.hpp"

#include <fmt/core.h>

namespace oblea {

bool add_row(TraceRows& rows, const Request& request, std::string_view at, TraceNotes& notes) {
  if (rows.requests.size() + rows.failed >= kMaxTraceRows) {
    notes.fault_at(
        at, [] { return fmt::format("more than {} requests", kMaxTraceRows); }, "cut the file: head -n 1000000");
    return false;
  }
  if (request.prompt_tokens > 0 && request.output_tokens > 0) {
    rows.requests.push_back(request);
  } else if (rows.failed++ == 0) {
    rows.first_failed = at;
  }
  return true;
}

}  // namespace oblea
