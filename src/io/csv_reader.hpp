// CsvReader: the records of a CSV text, one after the other, without copying it.
//
// RFC 4180, and what scripts make of it: LF or CRLF, blank lines, a last line without its end.
#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

namespace oblea {

// Views into the text. Of a field in quotes `text` is what stands between them; a doubled quote stays doubled.
struct CsvField {
  std::string_view text;
  std::string_view raw;
};

class CsvReader {
 public:
  explicit CsvReader(std::string_view text) : text_(text) {}

  // The fields of the next record that is not blank. False at the end of the text, and at a fault.
  bool next(std::vector<CsvField>& fields);

  // What is wrong with the text: a quote that is not closed, letters behind one, a record above kMaxTraceLineBytes.
  // Nothing after it can be trusted. Null: nothing so far.
  const char* fault() const { return fault_; }
  std::string_view fault_at() const { return fault_at_; }

 private:
  void split(std::string_view line, std::vector<CsvField>& fields) const;
  bool next_quoted(std::vector<CsvField>& fields);
  bool fail(const char* words, std::size_t at);

  std::string_view text_;
  std::size_t position_ = 0;
  const char* fault_ = nullptr;
  std::string_view fault_at_;
};

}  // namespace oblea
