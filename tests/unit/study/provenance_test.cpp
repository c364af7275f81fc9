#include "study/provenance.hpp"

#include <algorithm>

#include <gtest/gtest.h>

#include "support/repository.hpp"

namespace oblea {
namespace {

bool holds(const std::vector<std::string>& lines, const std::string& start) {
  return std::any_of(lines.begin(), lines.end(), [&](const std::string& line) { return line.starts_with(start); });
}

TEST(Provenance, OfAPlacementNamesDevicesModelAndFit) {
  const Report report = test::place_repository("scenarios/homelab/two-node-10gbe.json");
  EXPECT_TRUE(holds(report.provenance, "rtx-4070-super memory: datasheet, "));
  EXPECT_TRUE(holds(report.provenance, "rtx-4070-ti-super TDP: "));
  EXPECT_TRUE(holds(report.provenance, "llama-3.3-70b geometry: "));
  EXPECT_TRUE(holds(report.provenance, "timing: "));
}

TEST(Provenance, OfWafersNamesTheLayerLatencyAndNoFit) {
  const Report report = test::place_repository("scenarios/wafer/kimi-k3.json");
  EXPECT_TRUE(holds(report.provenance, "wse-3t layer latency: estimate, "));
  EXPECT_FALSE(holds(report.provenance, "timing: "));
}

TEST(Provenance, OfASizeNamesEveryCardOnOffer) {
  const Scenario scenario = test::scenario_of({{"size.budget", "3500 EUR", "test"},
                                               {"model.id", "llama-3.3-70b", "test"},
                                               {"size.devices", "[\"rtx-3090\", \"tesla-p40\"]", "test"}});
  const Report report = test::size_of(scenario);
  EXPECT_TRUE(holds(report.provenance, "rtx-3090 memory: "));
  EXPECT_TRUE(holds(report.provenance, "tesla-p40 memory: "));
}

TEST(Provenance, TellsADeviceOnceHoweverOftenItStands) {
  const Device* card = find(test::repository_library().devices, "rtx-3090");
  const ModelSpec model;
  EXPECT_EQ(provenance_of({card, card}, model, nullptr, {}).size(), provenance_of({card}, model, nullptr, {}).size());
}

}  // namespace
}  // namespace oblea
