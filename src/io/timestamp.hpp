// Timestamp: date and time of day as text, to nanoseconds since 1970.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace oblea {

// "2023-11-16 18:15:46.6805900", "2024-05-12T00:00:10.5+02:00", "2024-05-12 00:00:10Z": a zone left out is UTC,
// decimals beyond the ninth are cut. Years 1970 to 2200. Nothing: the text is no timestamp. Example: "1970-01-02
// 00:00:01.5+01:00" is 86,400 + 1.5 - 3,600 = 82,801.5 s.
std::optional<std::int64_t> parse_timestamp_ns(std::string_view text);

}  // namespace oblea
