#include "base/diagnostic.hpp"

#include <algorithm>

#include <fmt/core.h>

#include "base/limits.hpp"
#include "base/printable.hpp"

namespace oblea {
namespace {

constexpr std::size_t kMaxShownLine = 100;
constexpr std::size_t kMaxUnderline = 40;
constexpr std::size_t kMaxWords = 600;  // of a message or hint: a key or a string may be as long as the file

// The part of a line that is shown: around the caret, cut between two letters.
std::string_view window_around(std::string_view line, std::size_t column) {
  if (line.size() <= kMaxShownLine) return line;
  std::size_t start = column > kMaxShownLine / 2 ? column - kMaxShownLine / 2 : 0;
  while (start > 0 && continues_letter(line[start])) --start;
  std::size_t end = std::min(line.size(), start + kMaxShownLine);
  while (end < line.size() && continues_letter(line[end])) ++end;
  return line.substr(start, end - start);
}

// The line at fault with the caret under the text at fault.
std::string print_source(const SourcePlace& place) {
  const std::string_view line = place.source_line;
  const auto column = std::min(static_cast<std::size_t>(std::max(place.column - 1 - place.cut, 0)), line.size());
  const std::string_view window = window_around(line, column);
  const auto before = column - static_cast<std::size_t>(window.data() - line.data());
  const std::string_view marked = window.substr(before, static_cast<std::size_t>(std::max(place.length, 1)));
  const std::size_t underlined = std::clamp<std::size_t>(count_letters(printable(marked)), 1, kMaxUnderline);
  return fmt::format("  {}\n  {}^{}\n", printable(window),
                     std::string(count_letters(printable(window.substr(0, before))), ' '),
                     std::string(underlined - 1, '~'));
}

std::string print_place(const SourcePlace& place) {
  if (place.file.empty()) return "";
  if (place.line == 0) return fmt::format("{}: ", printable(place.file));
  return fmt::format("{}:{}:{}: ", printable(place.file), place.line, place.column);
}

}  // namespace

bool has_errors(const Diagnostics& diagnostics) {
  return std::any_of(diagnostics.begin(), diagnostics.end(),
                     [](const Diagnostic& d) { return d.severity != Severity::warning; });
}

std::string print_diagnostic(const Diagnostic& diagnostic) {
  const SourcePlace& place = diagnostic.place;
  const char* word = diagnostic.severity == Severity::warning ? "warning" : "error";
  std::string text =
      fmt::format("{}{}: {}\n", print_place(place), word, printable(cut_text(diagnostic.message, kMaxWords)));
  if (!place.source_line.empty() && place.column > 0) text += print_source(place);
  if (!diagnostic.hint.empty()) text += fmt::format("  hint: {}\n", printable(cut_text(diagnostic.hint, kMaxWords)));
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
