#include "probe/memory_module.hpp"

#include <algorithm>
#include <cstdint>

namespace oblea {
namespace {

std::uint32_t little_endian(std::string_view raw, std::size_t offset, std::size_t size) {
  std::uint32_t value = 0;
  for (std::size_t i = 0; i < size; ++i)
    value |= static_cast<std::uint32_t>(static_cast<unsigned char>(raw[offset + i])) << (8 * i);
  return value;
}

std::string kind_of(std::uint32_t type) {
  switch (type) {
    case 0x18:
      return "ddr3";
    case 0x1A:
      return "ddr4";
    case 0x1E:
      return "lpddr4";
    case 0x22:
      return "ddr5";
    case 0x23:
      return "lpddr5";
    default:
      return "";
  }
}

Bytes size_of(std::string_view raw, std::size_t length) {
  const std::uint32_t size = little_endian(raw, 0x0C, 2);
  if (size == 0 || size == 0xFFFF) return Bytes(0);
  if (size == 0x7FFF && length >= 0x20) return kMiB * static_cast<double>(little_endian(raw, 0x1C, 4) & 0x7FFFFFFF);
  return (size & 0x8000) != 0 ? Bytes(1024.0 * (size & 0x7FFF)) : kMiB * static_cast<double>(size);
}

}  // namespace

std::optional<MemoryModule> parse_memory_module(std::string_view raw) {
  if (raw.size() < 0x17 || raw[0] != 17) return std::nullopt;
  const std::size_t length = std::min<std::size_t>(static_cast<unsigned char>(raw[1]), raw.size());
  if (length < 0x15) return std::nullopt;
  MemoryModule module;
  module.size = size_of(raw, length);
  module.kind = kind_of(little_endian(raw, 0x12, 1));
  if (length >= 0x17) module.transfers = little_endian(raw, 0x15, 2);
  if (length >= 0x22 && little_endian(raw, 0x20, 2) > 0) module.transfers = little_endian(raw, 0x20, 2);
  if (module.transfers >= 0xFFFF) module.transfers = 0;
  return module;
}

}  // namespace oblea
