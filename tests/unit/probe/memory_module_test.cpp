#include "probe/memory_module.hpp"

#include <gtest/gtest.h>

namespace oblea {
namespace {

// A structure of type 17 with these little-endian fields; everything else 0.
std::string structure(unsigned size, unsigned type, unsigned rated, unsigned configured, unsigned long extended = 0) {
  std::string raw(0x28, '\0');
  const auto put = [&](std::size_t at, unsigned long value, int bytes) {
    for (int i = 0; i < bytes; ++i) raw[at + static_cast<std::size_t>(i)] = static_cast<char>(value >> (8 * i));
  };
  put(0, 17, 1);
  put(1, 0x28, 1);
  put(0x0C, size, 2);
  put(0x12, type, 1);
  put(0x15, rated, 2);
  put(0x1C, extended, 4);
  put(0x20, configured, 2);
  return raw;
}

TEST(MemoryModule, ReadsSizeKindAndTheConfiguredSpeed) {
  const auto module = parse_memory_module(structure(16384, 0x1A, 3600, 2133)).value();
  EXPECT_EQ(module.size, kGiB * 16);
  EXPECT_EQ(module.kind, "ddr4");
  EXPECT_EQ(module.transfers, 2133) << "not what it is sold for";
}

TEST(MemoryModule, SizesBeyondTheOldFieldStandInTheNewOne) {
  EXPECT_EQ(parse_memory_module(structure(0x7FFF, 0x22, 4800, 0, 65536)).value().size, kGiB * 64);
  EXPECT_EQ(parse_memory_module(structure(0x7FFF, 0x22, 4800, 0, 65536)).value().transfers, 4800);
  EXPECT_EQ(parse_memory_module(structure(0x8000 | 512, 0x12, 0, 0)).value().size, Bytes(512 * 1024));
}

TEST(MemoryModule, AnEmptySocketHasNoSize) {
  EXPECT_EQ(parse_memory_module(structure(0, 2, 0, 0)).value().size, Bytes(0));
  EXPECT_EQ(parse_memory_module(structure(0xFFFF, 2, 0, 0)).value().size, Bytes(0));
}

TEST(MemoryModule, OtherBytesAreNone) {
  EXPECT_FALSE(parse_memory_module(""));
  EXPECT_FALSE(parse_memory_module(std::string(40, '\x11').substr(0, 10)));
  std::string other = structure(16384, 0x1A, 3200, 3200);
  other[0] = 16;
  EXPECT_FALSE(parse_memory_module(other));
  std::string shorter = structure(16384, 0x1A, 3200, 2666);
  shorter[1] = 0x17;  // as of an old firmware: without the configured speed
  EXPECT_EQ(parse_memory_module(shorter).value().transfers, 3200);
  for (std::size_t length = 0; length < 0x28; ++length)
    parse_memory_module(structure(0x7FFF, 0x22, 4800, 4800, 65536).substr(0, length));
}

}  // namespace
}  // namespace oblea
