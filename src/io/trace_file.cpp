#include "io/trace_file.hpp"

#include <algorithm>
#include <string_view>

#include <fmt/core.h>

#include "base/hash.hpp"
#include "base/limits.hpp"
#include "io/text_file.hpp"
#include "io/trace/rows.hpp"

namespace oblea {
namespace {

constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

TraceRows read_rows(std::string_view text, TraceNotes& notes) {
  if (text.starts_with(kByteOrderMark)) text.remove_prefix(kByteOrderMark.size());
  const std::size_t first = text.find_first_not_of(" \t\r\n");
  if (first == std::string_view::npos) return {};
  if (text[first] == '{') return read_mooncake_trace(text.substr(first), notes);
  if (text[first] == '[') {
    notes.fault_at(
        text.substr(first, 1), [] { return "a list in JSON"; }, "one request a line, without brackets around them");
    return {};
  }
  return read_csv_trace(text.substr(first), notes);
}

bool comes_before(const Request& a, const Request& b) { return a.arrival_s < b.arrival_s; }

void put_in_order(TraceRows& rows, TraceNotes& notes) {
  std::vector<Request>& requests = rows.requests;
  if (rows.failed > 0) {
    notes.warning_at(rows.first_failed,
                     fmt::format("{} requests without a prompt or an answer, which failed when they were recorded, are "
                                 "left out; the first of them stands here",
                                 rows.failed));
  }
  std::size_t late = 0;
  for (std::size_t i = 1; i < requests.size(); ++i) late += comes_before(requests[i], requests[i - 1]) ? 1 : 0;
  if (late > 0) {
    notes.warning(fmt::format("{} requests come before the one above them; they were sorted by arrival", late));
    std::stable_sort(requests.begin(), requests.end(), comes_before);
  }
  if (!rows.recorded || requests.empty()) return;
  const double start = requests.front().arrival_s;
  for (Request& request : requests) request.arrival_s -= start;
  if (requests.back().arrival_s > kMaxTraceSeconds)
    notes.fault("more than ten years from the first request to the last");
}

}  // namespace

Result<Trace> parse_trace(const std::string& text, const std::string& file, Diagnostics& warnings) {
  TraceNotes notes(file, text);
  TraceRows rows = read_rows(text, notes);
  if (!notes.has_faults()) put_in_order(rows, notes);
  if (!notes.has_faults() && rows.requests.empty()) notes.fault("no requests in it");
  const bool refused = notes.has_faults();
  Diagnostics noted = notes.take();
  if (refused) {
    std::erase_if(noted, [](const Diagnostic& d) { return d.severity != Severity::error; });
    return fail(std::move(noted));
  }
  warnings.insert(warnings.end(), noted.begin(), noted.end());
  return Trace{std::move(rows.requests), hash_bytes(text)};
}

Result<Trace> read_trace(const std::string& path, Diagnostics& warnings) {
  const Result<std::string> text = read_text_file(path, kMaxTraceBytes);
  if (!text) return fail(text.error());
  return parse_trace(*text, path, warnings);
}

}  // namespace oblea
