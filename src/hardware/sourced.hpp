// Sourced: a number of a profile together with where it comes from. A profile holds no number without a source.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace oblea {

// How well a number is known, best first. An estimate is never shown as a fact, and it widens the band of what uses it.
enum class Confidence { measured, datasheet, review, estimate };

const std::vector<std::string>& confidence_names();  // best first
std::string_view confidence_name(Confidence confidence);
std::optional<Confidence> find_confidence(std::string_view name);

struct Source {
  std::string text;  // address, list or reasoning
  std::string date;  // "2026-02", "2026", "2025-H1"
  Confidence confidence = Confidence::estimate;
};

template <class T>
struct Sourced {
  T value{};
  Source source;
  bool is_estimate() const { return source.confidence == Confidence::estimate; }
};

template <class T>
using Optional = std::optional<Sourced<T>>;

// The value of an optional number, or the fallback.
template <class T>
T value_or(const Optional<T>& number, T fallback) {
  return number ? number->value : fallback;
}

}  // namespace oblea
