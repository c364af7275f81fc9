#include "base/printable.hpp"

#include <algorithm>

namespace oblea {

std::string printable(std::string_view text) {
  std::string shown(text);
  for (std::size_t i = 0; i < shown.size(); ++i) {
    const auto byte = static_cast<unsigned char>(shown[i]);
    const bool c1 = byte == 0xC2 && i + 1 < shown.size() && continues_letter(shown[i + 1]) &&
                    static_cast<unsigned char>(shown[i + 1]) < 0xA0;
    if (shown[i] == '\t') shown[i] = ' ';
    else if (byte < 0x20 || byte == 0x7f) shown[i] = '?';
    else if (c1) shown.replace(i, 2, "?");
  }
  return shown;
}

std::size_t count_letters(std::string_view text) {
  return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), [](char c) { return !continues_letter(c); }));
}

std::string cut_text(std::string_view text, std::size_t bytes) {
  if (text.size() <= bytes) return std::string(text);
  std::size_t end = bytes;
  while (end > 0 && continues_letter(text[end])) --end;
  return std::string(text.substr(0, end)) + "...";
}

}  // namespace oblea
