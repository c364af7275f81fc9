#include "timing/device_family.hpp"

#include <array>

namespace oblea {
namespace {

constexpr std::array<std::string_view, kDeviceMakerCount> kMakers{"nvidia", "amd", "apple", "intel", "other"};
constexpr std::array<std::string_view, kMemoryClassCount> kMemories{"gddr", "hbm", "unified", "host"};

}  // namespace

int family_of(const DeviceRates& rates) {
  return static_cast<int>(rates.maker) * kMemoryClassCount + static_cast<int>(rates.memory);
}

std::string family_name(int family) {
  const auto maker = static_cast<std::size_t>(family / kMemoryClassCount);
  const auto memory = static_cast<std::size_t>(family % kMemoryClassCount);
  return std::string(kMakers.at(maker)) + " " + std::string(kMemories.at(memory));
}

int find_family(std::string_view name) {
  for (int family = 0; family < kFamilyCount; ++family) {
    if (family_name(family) == name) return family;
  }
  return -1;
}

}  // namespace oblea
