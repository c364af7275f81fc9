#include "study/companions.hpp"

#include <gtest/gtest.h>

#include "study/place.hpp"
#include "support/repository.hpp"

namespace oblea {
namespace {

Scenario with(const std::vector<ScenarioSetting>& more) {
  std::vector<ScenarioSetting> settings{
      {"model.id", "llama-3.1-8b", ""},
      {"workload.context", "8192", ""},
      {"cluster", R"({"nodes": [{"host": "am5-b650-ryzen-7600", "devices": ["rtx-3090"]}]})", ""}};
  settings.insert(settings.end(), more.begin(), more.end());
  return test::scenario_of(settings);
}

// Llama 3.2 1B: 16 layers x 2 x 512 x 2 B x 8,192 = 256 MiB of cache.
TEST(CompanionsOfAScenario, ADraftHoldsWeightsCacheAndBuffers) {
  const Companions companions = companions_of(with({{"draft", R"({"id": "llama-3.2-1b"})", ""}}));
  EXPECT_EQ(companions.draft_cache, kMiB * 256.0);
  EXPECT_GT(companions.draft_weights, kMiB * 500.0);
  EXPECT_NEAR(companions.draft_buffers / kMiB, 254.5, 1);  // 512 x 128,256 x 4 B and a hidden vector
}

TEST(CompanionsOfAScenario, AdaptersAndPicturesAreCounted) {
  const Companions companions =
      companions_of(with({{"lora", R"({"count": 2, "rank": 16})", ""},
                          {"vision", R"({"weights": "900 MiB", "image_tokens": 7600})", ""}}));
  EXPECT_EQ(companions.adapters, kMiB * 160.0);
  EXPECT_EQ(companions.vision_weights, kMiB * 900.0);
  EXPECT_NEAR(companions.image / kGiB, 1.853, 0.005);
}

TEST(CompanionsOfAScenario, TheyLeaveLessOfTheFirstCardAndAreNamedInTheReport) {
  const auto placed = [](const std::vector<ScenarioSetting>& more) {
    return place_scenario(with(more), test::repository_library(), test::repository_timing()).value();
  };
  const Report plain = placed({});
  const Report drafted = placed({{"draft", R"({"id": "llama-3.2-1b"})", ""}});
  const Companions companions = companions_of(with({{"draft", R"({"id": "llama-3.2-1b"})", ""}}));
  EXPECT_NEAR((plain.placement[0].free - drafted.placement[0].free).value(), companions.total().value(), 1024);
  bool named = false;
  for (const auto& row : drafted.tables.front().rows) named = named || std::get<std::string>(row[1]) == "draft model";
  EXPECT_TRUE(named);
}

}  // namespace
}  // namespace oblea
