// Printable text: what comes from a file must not steer the terminal that shows it.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace oblea {

// The text with tabs as spaces, and with '?' for every other control character and every byte that is no UTF-8: the C0
// bytes and DEL, C1 (U+0080 to U+009F, in UTF-8 C2 80 to C2 9F), which some terminals obey as they obey an escape, and
// those that break lines or turn the direction of writing.
std::string printable(std::string_view text);

// True for the second and later bytes of a letter in UTF-8.
inline bool continues_letter(char c) { return (static_cast<unsigned char>(c) & 0xC0) == 0x80; }

// Letters on the screen, not bytes: UTF-8 code points.
std::size_t count_letters(std::string_view text);

// At most `bytes` of the text, cut between two letters, with "..." where something was cut.
std::string cut_text(std::string_view text, std::size_t bytes);

}  // namespace oblea
