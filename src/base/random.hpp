// Named random streams: each use of chance has its own stream, so that adding one does not move the others.
#pragma once

#include <cstdint>
#include <string_view>

#include <boost/random/mersenne_twister.hpp>

namespace oblea {

using RandomStream = boost::random::mt19937_64;

// The stream `name` of a run with this seed. Same seed and name, same numbers, on every machine.
RandomStream make_random_stream(std::uint64_t seed, std::string_view name);

}  // namespace oblea
