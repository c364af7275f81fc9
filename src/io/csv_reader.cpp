#include "io/csv_reader.hpp"

#include <algorithm>

#include "base/limits.hpp"

namespace oblea {
namespace {

std::string_view without_return(std::string_view line) {
  if (line.ends_with('\r')) line.remove_suffix(1);
  return line;
}

}  // namespace

bool CsvReader::next(std::vector<CsvField>& fields) {
  while (position_ < text_.size() && fault_ == nullptr) {
    const std::size_t end = std::min(text_.find('\n', position_), text_.size());
    const std::string_view line = text_.substr(position_, end - position_);
    if (line.size() > kMaxTraceLineBytes) return fail("a line above 1 MiB", position_);
    if (line.find('"') != std::string_view::npos) return next_quoted(fields);
    position_ = end + 1;
    const std::string_view content = without_return(line);
    if (content.find_first_not_of(" \t") == std::string_view::npos) continue;
    split(content, fields);
    return true;
  }
  return false;
}

void CsvReader::split(std::string_view line, std::vector<CsvField>& fields) const {
  fields.clear();
  for (std::size_t start = 0; start <= line.size();) {
    const std::size_t end = std::min(line.find(',', start), line.size());
    const std::string_view field = line.substr(start, end - start);
    fields.push_back({field, field});
    start = end + 1;
  }
}

// A record with a quote in its first line: it may go on over several.
bool CsvReader::next_quoted(std::vector<CsvField>& fields) {
  fields.clear();
  const std::size_t start = position_;
  for (std::size_t at = start;;) {
    if (at < text_.size() && text_[at] == '"') {
      std::size_t close = at + 1;
      while (close < text_.size() && (text_[close] != '"' || text_.substr(close + 1, 1) == "\"")) {
        close += text_[close] == '"' ? 2 : 1;
        if (close - start > kMaxTraceLineBytes) return fail("a quote that is not closed within 1 MiB", at);
      }
      if (close >= text_.size()) return fail("a quote that is not closed", at);
      fields.push_back({text_.substr(at + 1, close - at - 1), text_.substr(at, close + 1 - at)});
      at = close + 1;
      const std::string_view behind = text_.substr(at, 2);
      if (!behind.empty() && behind[0] != ',' && behind[0] != '\n' && behind != "\r\n" && behind != "\r") {
        return fail("text behind a closing quote", at);
      }
    } else {
      const std::size_t end = std::min(text_.find_first_of(",\n", at), text_.size());
      const bool ends_line = end >= text_.size() || text_[end] == '\n';
      const std::string_view field = text_.substr(at, end - at);
      const std::string_view kept = ends_line ? without_return(field) : field;
      fields.push_back({kept, kept});
      at = end;
    }
    if (at < text_.size() && text_[at] == ',') {
      ++at;
      continue;
    }
    position_ = std::min(text_.find('\n', at), text_.size()) + 1;
    return true;
  }
}

bool CsvReader::fail(const char* words, std::size_t at) {
  fault_ = words;
  fault_at_ = text_.substr(at, 1);
  return false;
}

}  // namespace oblea
