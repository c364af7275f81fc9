#include "base/suggest.hpp"

#include <algorithm>

#include <fmt/core.h>

namespace oblea {
namespace {

constexpr std::size_t kMaxListed = 8;
constexpr std::size_t kMaxCompared = 64;  // longer words are no slip of the pen

}  // namespace

// Damerau's distance restricted to neighbouring swaps, three rows at a time.
int edit_distance(std::string_view a, std::string_view b) {
  const std::size_t width = b.size() + 1;
  std::vector<int> before_last(width), last(width), current(width);
  for (std::size_t j = 0; j < width; ++j) last[j] = static_cast<int>(j);
  for (std::size_t i = 1; i <= a.size(); ++i) {
    current[0] = static_cast<int>(i);
    for (std::size_t j = 1; j < width; ++j) {
      const int change = a[i - 1] == b[j - 1] ? 0 : 1;
      current[j] = std::min({last[j] + 1, current[j - 1] + 1, last[j - 1] + change});
      const bool swapped = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
      if (swapped) current[j] = std::min(current[j], before_last[j - 2] + 1);
    }
    std::swap(before_last, last);
    std::swap(last, current);
  }
  return last[b.size()];
}

std::optional<std::string> nearest_word(std::string_view word, const std::vector<std::string>& candidates) {
  if (word.empty() || word.size() > kMaxCompared) return std::nullopt;
  const std::string* nearest = nullptr;
  int nearest_distance = std::max(1, static_cast<int>(word.size()) / 3) + 1;
  for (const std::string& candidate : candidates) {
    if (candidate.size() > kMaxCompared) continue;
    const int distance = edit_distance(word, candidate);
    if (distance < nearest_distance) {
      nearest = &candidate;
      nearest_distance = distance;
    }
  }
  if (nearest == nullptr) return std::nullopt;
  return *nearest;
}

std::string suggest(std::string_view word, const std::vector<std::string>& candidates) {
  if (const auto nearest = nearest_word(word, candidates)) return fmt::format("did you mean \"{}\"?", *nearest);
  if (candidates.empty()) return "";
  std::string text = "known: ";
  const std::size_t shown = std::min(candidates.size(), kMaxListed);
  for (std::size_t i = 0; i < shown; ++i) text += (i == 0 ? "" : ", ") + candidates[i];
  if (shown < candidates.size()) text += fmt::format(", ... ({} in all)", candidates.size());
  return text;
}

}  // namespace oblea
