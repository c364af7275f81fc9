// DeviceFamily: devices of one maker with one class of memory. The fit knows which families it has seen rows of.
#pragma once

#include <bitset>
#include <string>
#include <string_view>

#include "timing/device_rates.hpp"

namespace oblea {

inline constexpr int kFamilyCount = kDeviceMakerCount * kMemoryClassCount;
using FamilySet = std::bitset<kFamilyCount>;

// Index in a FamilySet. Example: NVIDIA with HBM: 0 x 4 + 1 = 1.
int family_of(const DeviceRates& rates);

// "nvidia hbm". Inverse: find_family, -1 when unknown.
std::string family_name(int family);
int find_family(std::string_view name);

}  // namespace oblea
