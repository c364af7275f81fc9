// TraceNotes: what is wrong with a trace, each with its place, at most kMaxDiagnostics of them however long the file.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>

#include "base/diagnostic.hpp"
#include "base/limits.hpp"

namespace oblea {

class TraceNotes {
 public:
  TraceNotes(std::string file, std::string_view text) : file_(std::move(file)), text_(text) {}

  // `at` is a view into the text. `words()` makes the message, only where it will be kept.
  template <class Words>
  void fault_at(std::string_view at, const Words& words, const char* hint = "") {
    if (++faults_ < kMaxDiagnostics) add(Severity::error, at, words(), hint);
  }
  void warning_at(std::string_view at, std::string message, std::string hint = {}) {
    add(Severity::warning, at, std::move(message), std::move(hint));
  }
  // About the file as a whole.
  void fault(std::string message, std::string hint = {});
  void warning(std::string message);

  bool has_faults() const { return faults_ > 0; }

  // In the order of noting; the last one counts the faults that were not kept.
  Diagnostics take();

 private:
  void add(Severity severity, std::string_view at, std::string message, std::string hint);
  int line_of(std::size_t offset);

  std::string file_;
  std::string_view text_;
  std::size_t counted_ = 0;  // bytes in which line ends were counted, up to the last place noted
  int lines_ = 1;            // up to there
  std::size_t faults_ = 0;
  Diagnostics noted_;
};

}  // namespace oblea
