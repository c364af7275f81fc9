#include "hardware/sourced.hpp"

#include <algorithm>

namespace oblea {

const std::vector<std::string>& confidence_names() {
  static const std::vector<std::string> names = {"measured", "datasheet", "review", "estimate"};
  return names;
}

std::string_view confidence_name(Confidence confidence) {
  return confidence_names()[static_cast<std::size_t>(confidence)];
}

std::optional<Confidence> find_confidence(std::string_view name) {
  const auto& names = confidence_names();
  const auto it = std::find(names.begin(), names.end(), name);
  if (it == names.end()) return std::nullopt;
  return static_cast<Confidence>(it - names.begin());
}

}  // namespace oblea
