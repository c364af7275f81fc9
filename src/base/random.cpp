#include "base/random.hpp"

#include "base/hash.hpp"

namespace oblea {

RandomStream make_random_stream(std::uint64_t seed, std::string_view name) {
  const std::uint64_t mixed = hash_bytes(name, 14695981039346656037ull ^ (seed * 0x9e3779b97f4a7c15ull));
  return RandomStream(mixed);
}

}  // namespace oblea
