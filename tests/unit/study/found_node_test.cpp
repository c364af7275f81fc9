#include "study/found_node.hpp"

#include <gtest/gtest.h>

namespace oblea {
namespace {

TEST(FoundNode, InstalledMemoryIsTheNextStepThatIsSold) {
  const std::pair<double, double> cases[] = {{62.7, 64},   {94.0, 96},   {23.54, 24}, {7.6, 8},
                                             {125.6, 128}, {188.6, 192}, {64, 64},    {2015.5, 2048}};
  for (const auto& [seen, sold] : cases) EXPECT_EQ(installed_memory(kGiB * seen), kGiB * sold) << seen;
  EXPECT_EQ(installed_memory(Bytes(0)), Bytes(0));
}

TEST(FoundNode, ACardAtRestWorksAtItsBestGenerationOnTheLanesItHas) {
  const PcieSlot link = working_link({1, 4, 8, 16});
  EXPECT_EQ(link.generation, 4);
  EXPECT_EQ(link.lanes, 8);
}

}  // namespace
}  // namespace oblea
