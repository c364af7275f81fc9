#include "base/hash.hpp"

#include <gtest/gtest.h>

namespace oblea {
namespace {

// Vectors of the authors' test suite (Fowler, Noll, Vo: test_fnv.c, FNV-1a 64 bits).
TEST(Hash, AgreesWithThePublishedVectors) {
  EXPECT_EQ(hash_bytes(""), 0xcbf29ce484222325ull);
  EXPECT_EQ(hash_bytes("a"), 0xaf63dc4c8601ec8cull);
  EXPECT_EQ(hash_bytes("b"), 0xaf63df4c8601f1a5ull);
  EXPECT_EQ(hash_bytes("foobar"), 0x85944171f73967e8ull);
}

TEST(Hash, GoesOnFromAnEarlierHash) { EXPECT_EQ(hash_bytes("bar", hash_bytes("foo")), hash_bytes("foobar")); }

TEST(Hash, TakesBytesAboveSevenBitsAsUnsigned) {
  // One step by hand: (basis xor 0xff) x prime, modulo 2^64.
  EXPECT_EQ(hash_bytes("\xff"), (0xcbf29ce484222325ull ^ 0xffull) * 1099511628211ull);
}

TEST(Hash, PrintsSixteenDigits) {
  EXPECT_EQ(hash_text(0), "0000000000000000");
  EXPECT_EQ(hash_text(0xcbf29ce484222325ull), "cbf29ce484222325");
}

}  // namespace
}  // namespace oblea
