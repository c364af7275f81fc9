// TraceRows: the requests of a trace as its format gives them, before they are put in order.
#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

#include "io/trace/notes.hpp"
#include "workload/request.hpp"

namespace oblea {

struct TraceRows {
  std::vector<Request> requests;  // arrivals since any moment
  bool recorded = false;          // of a service: arrivals count from the earliest, failed requests are left out
  std::size_t failed = 0;         // recorded without a prompt or an answer
  std::string_view first_failed;  // view into the text
};

// Keeps the request, unless it is one that failed. False when the trace has more than kMaxTraceRows: the reading ends.
bool add_row(TraceRows& rows, const Request& request, std::string_view at, TraceNotes& notes);

// The formats. `text` is not empty; faults go to the notes, and the rows are then good for nothing.
TraceRows read_csv_trace(std::string_view text, TraceNotes& notes);
TraceRows read_mooncake_trace(std::string_view text, TraceNotes& notes);

}  // namespace oblea
