#include "io/scenario_storage.hpp"

#include <gtest/gtest.h>

#include "io/scenario_file.hpp"
#include "support/repository.hpp"
#include "support/temporary_folder.hpp"

namespace oblea {
namespace {

class ScenarioStorage : public ::testing::Test {
 protected:
  Result<Scenario> read(const std::string& storage, const std::string& rest = "") {
    const std::string text = R"({"model": {"id": "llama-3.2-1b"}, "storage": )" + storage + rest + "}";
    return read_scenario(folder.write("s.json", text), {}, test::repository_library(),
                         test::repository_path("scenarios/models"), warnings);
  }

  std::string faults(const std::string& storage) {
    const Result<Scenario> scenario = read(storage);
    return scenario ? "" : print_diagnostics(scenario.error());
  }

  test::TemporaryFolder folder;
  Diagnostics warnings;
};

TEST_F(ScenarioStorage, TakesEveryValueOver) {
  const Scenario scenario =
      read(R"({"nas": "nas-hdd-1gbe", "disk": "nvme-gen4-1tb", "on_disk": true, "mapped": false, "page_cache": true})")
          .value();
  ASSERT_TRUE(scenario.storage);
  EXPECT_EQ(scenario.storage->nas, "nas-hdd-1gbe");
  EXPECT_EQ(scenario.storage->disk, "nvme-gen4-1tb");
  EXPECT_TRUE(scenario.storage->on_disk);
  EXPECT_FALSE(scenario.storage->mapped);
  EXPECT_TRUE(scenario.storage->in_page_cache);
}

TEST_F(ScenarioStorage, IsMappedAndColdUnlessSaid) {
  const Scenario scenario = read(R"({"disk": "hdd-8tb"})").value();
  EXPECT_TRUE(scenario.storage->mapped);
  EXPECT_FALSE(scenario.storage->on_disk);
  EXPECT_FALSE(scenario.storage->in_page_cache);
}

TEST_F(ScenarioStorage, NullIsNone) { EXPECT_FALSE(read("null").value().storage); }

TEST_F(ScenarioStorage, IdsAreCheckedByTheirRole) {
  const std::string all = faults(R"({"nas": "nas-hdd-1gb", "disk": "nvme-gen4-1t"})");
  EXPECT_NE(all.find("no profile has the id \"nas-hdd-1gb\""), std::string::npos) << all;
  EXPECT_NE(all.find("did you mean \"nas-hdd-1gbe\""), std::string::npos) << all;
  EXPECT_NE(all.find("did you mean \"nvme-gen4-1tb\""), std::string::npos) << all;
  EXPECT_NE(faults(R"({"nas": "nvme-gen4-1tb"})").find("is no NAS"), std::string::npos);
  EXPECT_NE(faults(R"({"disk": "nas-hdd-1gbe"})").find("is no disk"), std::string::npos);
  EXPECT_NE(faults(R"({"disk": "ram-ddr5-2x32"})").find("is no disk"), std::string::npos);
}

TEST_F(ScenarioStorage, WeightsMustBeSomewhere) {
  EXPECT_NE(faults("{}").find("nowhere"), std::string::npos);
  EXPECT_NE(faults(R"({"nas": "nas-hdd-1gbe", "on_disk": true})").find("without a \"disk\""), std::string::npos);
  EXPECT_EQ(faults(R"({"page_cache": true})"), "");
}

TEST_F(ScenarioStorage, WafersSayThatTheyDoNotUseIt) {
  ASSERT_TRUE(read(R"({"disk": "hdd-8tb"})", R"(, "wafers": {"device": "wse-3"})"));
  ASSERT_EQ(warnings.size(), 1u);
  EXPECT_NE(warnings[0].message.find("wafers"), std::string::npos);
}

}  // namespace
}  // namespace oblea
