// Content hash: names an input in a report, so that two reports can be told to answer the same question. Not for
// security.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace oblea {

// FNV-1a, 64 bits. Source: Fowler, Noll, Vo; offset basis 14695981039346656037, prime 1099511628211.
std::uint64_t hash_bytes(std::string_view bytes, std::uint64_t seed = 14695981039346656037ull);

// Sixteen hexadecimal digits.
std::string hash_text(std::uint64_t hash);

}  // namespace oblea
