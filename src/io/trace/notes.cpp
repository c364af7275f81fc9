#include "io/trace/notes.hpp"

#include <algorithm>

#include <fmt/core.h>

#include "base/limits.hpp"

namespace oblea {
namespace {

constexpr std::size_t kShown = 2048;  // bytes of a line, on either side of the fault

SourcePlace place_in(const std::string& file) {
  SourcePlace place;
  place.file = file;
  return place;
}

}  // namespace

void TraceNotes::fault(std::string message, std::string hint) {
  ++faults_;
  noted_.push_back({Severity::error, place_in(file_), std::move(message), std::move(hint)});
}

void TraceNotes::warning(std::string message) {
  noted_.push_back({Severity::warning, place_in(file_), std::move(message), ""});
}

// Places mostly come in the order of the text: only what is new is counted.
int TraceNotes::line_of(std::size_t offset) {
  if (offset < counted_) {
    counted_ = 0;
    lines_ = 1;
  }
  const auto from = text_.begin() + static_cast<std::ptrdiff_t>(counted_);
  lines_ += static_cast<int>(std::count(from, text_.begin() + static_cast<std::ptrdiff_t>(offset), '\n'));
  counted_ = offset;
  return lines_;
}

void TraceNotes::add(Severity severity, std::string_view at, std::string message, std::string hint) {
  const auto offset = static_cast<std::size_t>(at.data() - text_.data());
  const std::size_t before = offset == 0 ? std::string_view::npos : text_.rfind('\n', offset - 1);
  const std::size_t start = before == std::string_view::npos ? 0 : before + 1;
  const std::size_t from = offset - start > kShown ? offset - kShown : start;
  const std::size_t end = std::min({text_.find('\n', offset), text_.size(), offset + kShown});
  SourcePlace place = place_in(file_);
  place.line = line_of(start);
  place.column = 1 + static_cast<int>(offset - start);
  place.length = std::max(1, static_cast<int>(std::min(at.size(), end - offset)));
  place.source_line = std::string(text_.substr(from, end - from));
  place.cut = static_cast<int>(from - start);
  noted_.push_back({severity, std::move(place), std::move(message), std::move(hint)});
}

Diagnostics TraceNotes::take() {
  if (faults_ >= kMaxDiagnostics) fault(fmt::format("{} faults more", faults_ - kMaxDiagnostics + 1));
  return std::move(noted_);
}

}  // namespace oblea
