#include "hardware/bonded_port.hpp"

#include <gtest/gtest.h>

namespace oblea {
namespace {

TEST(BondedPort, IsTheXorOfTheEndsModuloThePorts) {
  EXPECT_EQ(bonded_port(0, 1, 2), 1);
  EXPECT_EQ(bonded_port(0, 2, 2), 0);
  EXPECT_EQ(bonded_port(0, 3, 2), 1);
  EXPECT_EQ(bonded_port(5, 6, 4), 3);  // 101 XOR 110 = 011
}

TEST(BondedPort, IsTheSameBothWays) {
  for (int from = 0; from < 9; ++from)
    for (int to = 0; to < 9; ++to)
      for (int ports = 1; ports < 5; ++ports) {
        EXPECT_EQ(bonded_port(from, to, ports), bonded_port(to, from, ports));
        EXPECT_LT(bonded_port(from, to, ports), ports);
      }
}

TEST(BondedPort, OnePortCarriesAll) { EXPECT_EQ(bonded_port(3, 4, 1), 0); }

}  // namespace
}  // namespace oblea
