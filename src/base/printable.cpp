#include "base/printable.hpp"

#include <algorithm>

namespace oblea {

namespace {

// Bytes of the letter in UTF-8 that starts the text; 0 where none does. Overlong forms and surrogates are not looked
// for: they steer nothing.
std::size_t letter_size(std::string_view text) {
  const auto first = static_cast<unsigned char>(text.front());
  const std::size_t size = first < 0x80   ? 1
                           : first < 0xC2 ? 0
                           : first < 0xE0 ? 2
                           : first < 0xF0 ? 3
                           : first < 0xF5 ? 4
                                          : 0;
  if (size > text.size()) return 0;
  const std::string_view rest = text.substr(0, size).substr(std::min<std::size_t>(size, 1));
  return std::all_of(rest.begin(), rest.end(), continues_letter) ? size : 0;
}

// U+2028 to U+202E break lines and turn the direction of writing, U+2066 to U+2069 isolate one: a name that holds them
// can make the line show what it does not say.
bool turns_direction(std::string_view letter) {
  if (letter.size() != 3 || !letter.starts_with("\xE2")) return false;
  const auto second = static_cast<unsigned char>(letter[1]);
  const auto third = static_cast<unsigned char>(letter[2]);
  return (second == 0x80 && third >= 0xA8 && third <= 0xAE) || (second == 0x81 && third >= 0xA6 && third <= 0xA9);
}

bool is_control(std::string_view letter) {
  const auto first = static_cast<unsigned char>(letter.front());
  const bool c1 = first == 0xC2 && static_cast<unsigned char>(letter[1]) < 0xA0;
  return first < 0x20 || first == 0x7f || c1 || turns_direction(letter);
}

}  // namespace

std::string printable(std::string_view text) {
  std::string shown;
  while (!text.empty()) {
    const std::size_t size = letter_size(text);
    const std::string_view letter = text.substr(0, std::max<std::size_t>(size, 1));
    if (letter == "\t")
      shown += ' ';
    else if (size == 0 || is_control(letter))
      shown += '?';
    else
      shown += letter;
    text.remove_prefix(letter.size());
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
