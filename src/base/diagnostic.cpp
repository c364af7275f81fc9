#include "base/diagnostic.hpp"

#include <algorithm>

#include <fmt/core.h>

#include "base/limits.hpp"

namespace oblea {
namespace {

constexpr std::size_t kMaxShownLine = 100;
constexpr std::size_t kMaxUnderline = 40;

// Text from a file must not steer the terminal.
std::string printable(std::string_view text) {
  std::string shown(text);
  for (char& c : shown) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '\t') c = ' ';
    if (byte < 0x20 || byte == 0x7f) c = '?';
  }
  return shown;
}

// The line cut so that the caret's column stays in view; moves `column` along.
std::string window_around(std::string_view line, std::size_t& column) {
  if (line.size() <= kMaxShownLine) return printable(line);
  const std::size_t start = column > kMaxShownLine / 2 ? column - kMaxShownLine / 2 : 0;
  column -= start;
  return printable(line.substr(start, kMaxShownLine));
}

std::string print_place(const SourcePlace& place) {
  if (place.file.empty()) return "";
  if (place.line == 0) return fmt::format("{}: ", printable(place.file));
  return fmt::format("{}:{}:{}: ", printable(place.file), place.line, place.column);
}

}  // namespace

bool has_errors(const Diagnostics& diagnostics) {
  return std::any_of(diagnostics.begin(), diagnostics.end(),
                     [](const Diagnostic& d) { return d.severity == Severity::error; });
}

std::string print_diagnostic(const Diagnostic& diagnostic) {
  const SourcePlace& place = diagnostic.place;
  const char* word = diagnostic.severity == Severity::error ? "error" : "warning";
  std::string text = fmt::format("{}{}: {}\n", print_place(place), word, printable(diagnostic.message));
  if (!place.source_line.empty() && place.column > 0) {
    auto column = static_cast<std::size_t>(place.column - 1);
    const std::string line = window_around(place.source_line, column);
    column = std::min(column, line.size());
    const auto room = std::max<std::size_t>(1, line.size() - column);
    const auto underline = std::min({static_cast<std::size_t>(std::max(place.length, 1)), room, kMaxUnderline});
    text += fmt::format("  {}\n  {}^{}\n", line, std::string(column, ' '), std::string(underline - 1, '~'));
  }
  if (!diagnostic.hint.empty()) text += fmt::format("  hint: {}\n", printable(diagnostic.hint));
  return text;
}

std::string print_diagnostics(const Diagnostics& diagnostics) {
  std::string text;
  const std::size_t shown = std::min(diagnostics.size(), kMaxDiagnostics);
  for (std::size_t i = 0; i < shown; ++i) text += print_diagnostic(diagnostics[i]);
  if (shown < diagnostics.size()) text += fmt::format("... and {} more\n", diagnostics.size() - shown);
  return text;
}

}  // namespace oblea
