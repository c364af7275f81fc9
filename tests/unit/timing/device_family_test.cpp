#include "timing/device_family.hpp"

#include <gtest/gtest.h>

#include "unit/timing/timing_cases.hpp"

namespace oblea {
namespace {

TEST(DeviceFamily, IsTheMakerAndTheClassOfMemory) {
  Device device = card_3090();
  EXPECT_EQ(family_name(family_of(make_device_rates(device))), "nvidia gddr");
  device.vendor = "amd";
  device.memory_type = "HBM2";
  EXPECT_EQ(family_name(family_of(make_device_rates(device))), "amd hbm");
}

TEST(DeviceFamily, NamesAreFoundAgain) {
  for (int family = 0; family < kFamilyCount; ++family) EXPECT_EQ(find_family(family_name(family)), family);
  EXPECT_EQ(find_family("nvidia"), -1);
}

}  // namespace
}  // namespace oblea
