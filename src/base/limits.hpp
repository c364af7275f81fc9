// Limits: every bound on input and search, in one place. Each is tested at the limit and one past it.
#pragma once

#include <cstddef>

namespace oblea {

inline constexpr std::size_t kMaxInputBytes = 4u << 20;          // a scenario or profile file
inline constexpr std::size_t kMaxJsonValues = 100'000;           // numbers, strings, arrays and objects in one file
inline constexpr int kMaxJsonDepth = 64;                         // nesting of brackets
inline constexpr std::size_t kMaxDiagnostics = 100;              // printed at once; the rest is counted
inline constexpr int kMaxDevices = 4096;                         // in one cluster
inline constexpr int kMaxLayers = 4096;                          // of one model
inline constexpr int kMaxNodes = 1024;                           // in one scenario
inline constexpr std::size_t kMaxClaims = 200;                   // in one scenario; each may read it once more
inline constexpr std::size_t kMaxExtends = 16;                   // scenario files that extend each other in a chain
inline constexpr double kMaxContextTokens = 16.0 * 1024 * 1024;  // per request
inline constexpr double kMaxUsers = 1e6;                         // concurrent requests

}  // namespace oblea
