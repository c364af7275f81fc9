#include "placement/companions.hpp"

#include <gtest/gtest.h>

#include "unit/llm/library_models.hpp"

namespace oblea {
namespace {

// 32 x 16 x (2 x 8,192 + 2 x 5,120 + 3 x 18,432) x 2 B = 80 MiB.
TEST(Companions, AnAdapterIsRankTimesTheSidesOfEveryMatrix) {
  const ModelSpec& model = test::library_model("llama-3.1-8b");
  EXPECT_EQ(adapter_bytes(model, 16, false), kMiB * 80.0);
  EXPECT_EQ(adapter_bytes(model, 16, true), Bytes(32.0 * 16 * (2 * 8192 + 2 * 5120) * 2));
  EXPECT_EQ(adapter_bytes(model, 32, false), kMiB * 160.0);
}

// 30,400 patches x 4 B x (3 x 4,304 + 3 x 1,152) = 1.85 GiB; scores of 16 heads without flash attention 55 GiB.
TEST(Companions, APictureTakesItsPatches) {
  VisionTower tower;
  EXPECT_NEAR(image_bytes(tower, 7600) / kGiB, 1.853, 0.005);
  tower.flash_attention = false;
  EXPECT_NEAR(image_bytes(tower, 7600) / kGiB, 1.853 + 55.08, 0.05);
}

TEST(Companions, OnlyWhatIsThereIsNamed) {
  Companions companions;
  EXPECT_TRUE(companions.parts().empty());
  companions.adapters = kMiB * 80.0;
  companions.image = kMiB * 20.0;
  ASSERT_EQ(companions.parts().size(), 2u);
  EXPECT_EQ(companions.total(), kMiB * 100.0);
}

}  // namespace
}  // namespace oblea
