// Letters of ASCII made small; every other byte stays.
#pragma once

#include <algorithm>
#include <string>

namespace oblea {

inline std::string lower_case(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(),
                 [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
  return text;
}

}  // namespace oblea
