#include "study/cpu_architecture.hpp"

#include <gtest/gtest.h>

namespace oblea {
namespace {

TEST(CpuArchitecture, IsKnownByFamilyAndModel) {
  EXPECT_EQ(cpu_architecture({"", "amd", 25, 33}), "zen3");
  EXPECT_EQ(cpu_architecture({"", "amd", 25, 17}), "zen4");
  EXPECT_EQ(cpu_architecture({"", "amd", 26, 68}), "zen5");
  EXPECT_EQ(cpu_architecture({"", "intel", 6, 143}), "sapphire-rapids");
  EXPECT_EQ(cpu_architecture({"", "intel", 6, 1}), "");
}

}  // namespace
}  // namespace oblea
