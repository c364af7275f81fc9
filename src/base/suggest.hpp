// Did-you-mean: the nearest known word to one that is unknown.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace oblea {

// Edits (insert, delete, replace, swap of neighbours) from a to b.
int edit_distance(std::string_view a, std::string_view b);

// The candidate nearest to `word` if it is near enough to be a slip (at most a third of the letters), else nothing.
std::optional<std::string> nearest_word(std::string_view word, const std::vector<std::string>& candidates);

// "did you mean \"budget\"?" or the list of what is known, cut at eight.
std::string suggest(std::string_view word, const std::vector<std::string>& candidates);

}  // namespace oblea
