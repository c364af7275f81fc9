// Mooncake's request traces: a JSON object a line, with the numbers of the prompt's blocks.
//
// Source: kvcache-ai/Mooncake, FAST25-release/traces/*.jsonl, read 2026-12: {"timestamp": 3000, "input_length": 915,
// "output_length": 355, "hash_ids": [0, 462]}; milliseconds, blocks of 512 tokens, the last one in part.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include <fmt/core.h>
#include <nlohmann/json.hpp>

#include "base/limits.hpp"
#include "io/trace/rows.hpp"
#include "io/trace/shared_blocks.hpp"

namespace oblea {
namespace {

constexpr double kAbsent = std::numeric_limits<double>::quiet_NaN();

enum class Field { other, timestamp, input_length, output_length, hash_ids };

Field field_named(const std::string& name) {
  if (name == "timestamp") return Field::timestamp;
  if (name == "input_length") return Field::input_length;
  if (name == "output_length") return Field::output_length;
  return name == "hash_ids" ? Field::hash_ids : Field::other;
}

// One line's fields, as nlohmann's parser tells them. Of a key that stands twice the last value counts; keys that are
// not known are skipped, with all that they hold.
class LineFields {
 public:
  double timestamp = kAbsent;
  double input_length = kAbsent;
  double output_length = kAbsent;
  std::vector<std::int64_t> hash_ids;
  bool odd_ids = false;      // some are no whole numbers
  std::size_t fault_at = 0;  // bytes into the line, from 1; 0: it is JSON

  // What nlohmann::json::sax_parse calls. Only an object may stand outside of everything.
  bool null() { return value(kAbsent); }
  bool boolean(bool) { return value(kAbsent); }
  bool string(std::string&) { return value(kAbsent); }
  bool binary(std::vector<std::uint8_t>&) { return false; }
  bool number_float(double number, const std::string&) { return value(number); }
  bool number_integer(std::int64_t number) { return whole(number); }
  bool number_unsigned(std::uint64_t number) {
    const bool fits = number <= static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());
    return fits ? whole(static_cast<std::int64_t>(number)) : value(static_cast<double>(number));
  }
  bool start_object(std::size_t) { return start(); }
  bool start_array(std::size_t) {
    if (depth_ == 0) return false;
    if (is_at(1, Field::hash_ids)) hash_ids.clear();
    return start();
  }
  bool end_object() { return end(); }
  bool end_array() { return end(); }
  bool key(const std::string& name) {
    if (depth_ == 1) field_ = field_named(name);
    return true;
  }
  bool parse_error(std::size_t position, const std::string&, const nlohmann::json::exception&) {
    fault_at = std::max<std::size_t>(position, 1);
    return false;
  }

 private:
  bool is_at(int depth, Field field) const { return depth_ == depth && field_ == field; }
  bool start() {
    if (is_at(2, Field::hash_ids)) odd_ids = true;
    ++depth_;
    return true;
  }
  bool end() {
    --depth_;
    return true;
  }
  bool whole(std::int64_t number) {
    if (!is_at(2, Field::hash_ids)) return value(static_cast<double>(number));
    hash_ids.push_back(number);
    return true;
  }
  bool value(double number) {
    if (is_at(1, Field::timestamp)) timestamp = number;
    if (is_at(1, Field::input_length)) input_length = number;
    if (is_at(1, Field::output_length)) output_length = number;
    if (is_at(1, Field::hash_ids) || is_at(2, Field::hash_ids)) odd_ids = true;
    return depth_ > 0;
  }

  int depth_ = 0;
  Field field_ = Field::other;
};

class MooncakeTrace {
 public:
  explicit MooncakeTrace(TraceNotes& notes) : notes_(notes) { rows_.recorded = true; }

  // False: the rest is not read.
  bool read_line(std::string_view line) {
    if (line.size() > kMaxTraceLineBytes) {
      notes_.fault_at(line, [] { return "a line above 1 MiB"; });
      return false;
    }
    if (line.find_first_not_of(" \t\r") == std::string_view::npos) return true;
    LineFields fields;
    if (!nlohmann::json::sax_parse(line.begin(), line.end(), &fields)) {
      const std::size_t at = std::min(std::max<std::size_t>(fields.fault_at, 1), line.size()) - 1;
      notes_.fault_at(
          line.substr(at, 1), [] { return "no JSON object"; }, "one request a line: {\"timestamp\": 0, ...}");
      return true;
    }
    const std::size_t before = rows_.requests.size();
    if (!add_row(rows_, request_of(fields, line), line, notes_)) return false;
    if (rows_.requests.size() == before || blocks_.add(rows_.requests.back().prompt_tokens, fields.hash_ids))
      return true;
    notes_.fault_at(line, [] { return fmt::format("more than {} different blocks of prompts", kMaxTraceBlocks); });
    return false;
  }

  TraceRows take() {
    if (!notes_.has_faults()) blocks_.set_prefixes(rows_.requests);
    return std::move(rows_);
  }

 private:
  Request request_of(const LineFields& fields, std::string_view line) {
    Request request;
    request.arrival_s = fields.timestamp / 1000;
    if (!(fields.timestamp >= 0 && request.arrival_s <= kMaxTraceSeconds)) {
      const std::string_view at = place_of(line, "timestamp");
      notes_.fault_at(at,
                      [&] { return missing_or(fields.timestamp, "timestamp", "milliseconds, from 0 to ten years"); });
    }
    request.prompt_tokens = tokens_of(fields.input_length, line, "input_length");
    request.output_tokens = tokens_of(fields.output_length, line, "output_length");
    if (fields.odd_ids) {
      notes_.fault_at(place_of(line, "hash_ids"), [] { return "\"hash_ids\" must be a list of whole numbers"; });
    }
    return request;
  }

  int tokens_of(double tokens, std::string_view line, const char* name) {
    if (tokens >= 0 && tokens <= kMaxContextTokens && tokens == std::floor(tokens)) return static_cast<int>(tokens);
    const std::string words = fmt::format("a whole number from 0 to {}", kMaxContextTokens);
    notes_.fault_at(place_of(line, name), [&] { return missing_or(tokens, name, words); });
    return -1;
  }

  static std::string missing_or(double value, const char* name, const std::string& wanted) {
    if (std::isnan(value)) return fmt::format("no number \"{}\"", name);
    return fmt::format("\"{}\" is {}; it must be {}", name, value, wanted);
  }

  // The key where it stands, else the line's first letter.
  static std::string_view place_of(std::string_view line, const std::string& name) {
    const std::size_t at = line.find("\"" + name + "\"");
    return at == std::string_view::npos ? line.substr(0, 1) : line.substr(at, name.size() + 2);
  }

  TraceNotes& notes_;
  TraceRows rows_;
  SharedBlocks blocks_;
};

}  // namespace

TraceRows read_mooncake_trace(std::string_view text, TraceNotes& notes) {
  MooncakeTrace trace(notes);
  for (std::size_t start = 0; start < text.size();) {
    const std::size_t end = std::min(text.find('\n', start), text.size());
    if (!trace.read_line(text.substr(start, end - start))) break;
    start = end + 1;
  }
  return trace.take();
}

}  // namespace oblea
