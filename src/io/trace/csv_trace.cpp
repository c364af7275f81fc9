// The request traces in CSV: rows under a header, to requests.
#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <optional>

#include <fmt/core.h>

#include "base/limits.hpp"
#include "base/lower_case.hpp"
#include "base/suggest.hpp"
#include "io/csv_reader.hpp"
#include "io/timestamp.hpp"
#include "io/trace/csv_formats.hpp"
#include "io/trace/rows.hpp"

namespace oblea {
namespace {

constexpr double kNotANumber = std::numeric_limits<double>::quiet_NaN();

std::string_view trimmed(std::string_view text) {
  const std::size_t first = text.find_first_not_of(" \t");
  if (first == std::string_view::npos) return text.substr(0, 0);
  return text.substr(first, text.find_last_not_of(" \t") + 1 - first);
}

// NaN: no number, or one beyond a double.
double number_of(std::string_view text) {
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc() && end == text.data() + text.size() ? value : kNotANumber;
}

std::string_view shown(std::string_view text) { return text.empty() ? "empty" : text; }

// Rows of one file under its header.
class CsvTrace {
 public:
  CsvTrace(std::string_view text, TraceNotes& notes) : reader_(text), notes_(notes) {}

  TraceRows read() {
    if (read_header()) {
      while (reader_.next(fields_) && add_row(rows_, read_row(), fields_.front().raw, notes_)) {
      }
    }
    if (reader_.fault() != nullptr) notes_.fault_at(reader_.fault_at(), [&] { return reader_.fault(); });
    return std::move(rows_);
  }

 private:
  bool read_header();
  void note_missing_columns(const std::vector<std::string>& names);
  void note_unknown_columns(const std::vector<std::string>& names);
  Request read_row();
  double read_arrival(std::string_view field);
  int read_tokens(std::string_view text, const char* name, int least);
  void read_prefix(Request& request);
  std::string_view field(int column) const { return trimmed(fields_[static_cast<std::size_t>(column)].text); }

  CsvReader reader_;
  TraceNotes& notes_;
  TraceRows rows_;
  CsvColumns columns_;
  std::size_t width_ = 0;
  std::vector<CsvField> fields_;
  std::optional<std::int64_t> first_ns_;
};

bool CsvTrace::read_header() {
  if (!reader_.next(fields_)) return false;
  std::vector<std::string> names;
  for (const CsvField& f : fields_) names.push_back(lower_case(std::string(trimmed(f.text))));
  columns_ = find_csv_columns(names);
  width_ = names.size();
  rows_.recorded = columns_.format->recorded;
  if (!columns_.whole) {
    note_missing_columns(names);
    return false;
  }
  for (std::size_t i = 0; i < names.size(); ++i) {
    const bool twice = !names[i].empty() && std::find(names.begin(), names.begin() + static_cast<std::ptrdiff_t>(i),
                                                      names[i]) != names.begin() + static_cast<std::ptrdiff_t>(i);
    if (twice) notes_.fault_at(fields_[i].raw, [&] { return fmt::format("column \"{}\" a second time", names[i]); });
  }
  if (!rows_.recorded) note_unknown_columns(names);
  return !notes_.has_faults();
}

void CsvTrace::note_missing_columns(const std::vector<std::string>& names) {
  const CsvFormat& format = *columns_.format;
  const bool any = std::any_of(columns_.needed.begin(), columns_.needed.end(), [](int i) { return i >= 0; });
  if (!any) {
    const bool semicolons = names.front().find(';') != std::string::npos;
    notes_.fault_at(
        fields_.front().raw, [] { return "the first line names no columns of a trace that is known"; },
        semicolons ? "columns are separated by commas"
                   : "such as arrival_s,prompt_tokens,output_tokens; the columns of Azure's LLM traces and of BurstGPT "
                     "are known too");
    return;
  }
  for (std::size_t i = 0; i < format.needed.size(); ++i) {
    if (columns_.needed[i] >= 0) continue;
    const std::string hint = suggest(format.needed[i], names);
    notes_.fault_at(
        fields_.front().raw, [&] { return fmt::format("no column \"{}\" ({})", format.needed[i], format.name); },
        hint.c_str());
  }
}

// Other columns may stand there; a slip in the name of one that is read is worth a word.
void CsvTrace::note_unknown_columns(const std::vector<std::string>& names) {
  for (std::size_t i = 0; i < names.size(); ++i) {
    const auto near = nearest_word(names[i], {"prefix", "prefix_tokens"});
    if (!near || *near == names[i] || names[i] == columns_.format->needed[1]) continue;
    notes_.warning_at(fields_[i].raw, fmt::format("column \"{}\" is not read", names[i]),
                      fmt::format("did you mean \"{}\"?", *near));
  }
  if ((columns_.prefix >= 0) != (columns_.prefix_tokens >= 0)) {
    notes_.fault_at(fields_.front().raw,
                    [] { return "\"prefix\" and \"prefix_tokens\" stand together or not at all"; });
  }
}

Request CsvTrace::read_row() {
  Request request;
  if (fields_.size() != width_) {
    notes_.fault_at(fields_.back().raw,
                    [&] { return fmt::format("{} fields; the header names {}", fields_.size(), width_); });
    return request;
  }
  request.arrival_s = read_arrival(field(columns_.needed[0]));
  const int least = rows_.recorded ? 0 : 1;  // recorded with none: it failed
  request.prompt_tokens = read_tokens(field(columns_.needed[1]), columns_.format->needed[1], least);
  request.output_tokens = read_tokens(field(columns_.needed[2]), columns_.format->needed[2], least);
  if (columns_.prefix >= 0) read_prefix(request);
  return request;
}

double CsvTrace::read_arrival(std::string_view text) {
  const char* name = columns_.format->needed[0];
  if (columns_.format->dates) {
    const auto ns = parse_timestamp_ns(text);
    if (ns) {
      if (!first_ns_) first_ns_ = ns;  // differences of nanoseconds keep what seconds since 1970 would round off
      return static_cast<double>(*ns - *first_ns_) * 1e-9;
    }
    notes_.fault_at(
        text, [&] { return fmt::format("\"{}\" is {}; it must be a date and a time", name, shown(text)); },
        "such as 2023-11-16 18:15:46.68 or 2024-05-12 00:00:10+00:00");
    return 0;
  }
  const double seconds = number_of(text);
  if (!(seconds >= 0)) {
    notes_.fault_at(text,
                    [&] { return fmt::format("\"{}\" is {}; it must be seconds, at least 0", name, shown(text)); });
  } else if (seconds > kMaxTraceSeconds) {
    notes_.fault_at(
        text, [&] { return fmt::format("\"{}\" is {}: more than ten years", name, text); },
        "it counts from the start of the trace");
  }
  return seconds;
}

// -1 with a fault.
int CsvTrace::read_tokens(std::string_view text, const char* name, int least) {
  const double tokens = number_of(text);
  if (tokens >= least && tokens <= kMaxContextTokens && tokens == std::floor(tokens)) return static_cast<int>(tokens);
  notes_.fault_at(text, [&] {
    return fmt::format("\"{}\" is {}; it must be a whole number from {} to {}", name, shown(text), least,
                       kMaxContextTokens);
  });
  return -1;
}

// Both empty: nothing is shared.
void CsvTrace::read_prefix(Request& request) {
  const std::string_view number = field(columns_.prefix);
  const std::string_view tokens = field(columns_.prefix_tokens);
  if (number.empty() && tokens.empty()) return;
  const double prefix = number_of(number);
  if (!(prefix >= 0 && prefix < kMaxTraceRows && prefix == std::floor(prefix))) {
    notes_.fault_at(number, [&] {
      return fmt::format("\"prefix\" is {}; it must be a whole number from 0 to {}", shown(number), kMaxTraceRows - 1);
    });
    return;
  }
  request.prefix = static_cast<int>(prefix);
  request.prefix_tokens = read_tokens(tokens, "prefix_tokens", 1);
  if (request.prompt_tokens > 0 && request.prefix_tokens > request.prompt_tokens) {
    notes_.fault_at(tokens, [&] {
      return fmt::format("a prefix of {} tokens of a prompt of {}", request.prefix_tokens, request.prompt_tokens);
    });
  }
}

}  // namespace

TraceRows read_csv_trace(std::string_view text, TraceNotes& notes) { return CsvTrace(text, notes).read(); }

}  // namespace oblea
