#include "io/scenario_supply.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "io/scenario_file.hpp"
#include "study/build_machine.hpp"
#include "support/repository.hpp"
#include "support/temporary_folder.hpp"

namespace oblea {
namespace {

using testing::HasSubstr;

// Three cards in a frame, with these keys of the node and of the site.
Result<Scenario> read(const std::string& node, const std::string& site = "", Diagnostics* warned = nullptr) {
  const test::TemporaryFolder folder;
  Diagnostics warnings;
  const std::string text = R"({"model": {"id": "llama-3.1-8b"}, "site": {)" + site + R"(}, "cluster": {"nodes": [
  {"host": "epyc-7302-romed8-2t-open-frame", "devices": ["rtx-3090", "rtx-4090", "rtx-3090"])" +
                           (node.empty() ? "" : ",\n" + node) + "}]}}";
  Result<Scenario> scenario = read_scenario(folder.write("s.json", text), {}, test::repository_library(),
                                            test::repository_path("scenarios/models"), warnings);
  if (warned != nullptr) *warned = warnings;
  return scenario;
}

std::string faults(const std::string& node, const std::string& site = "") {
  const Result<Scenario> scenario = read(node, site);
  return scenario ? "" : print_diagnostics(scenario.error());
}

TEST(ScenarioSupply, SuppliesAreReadAndHungOn) {
  const Scenario s = read(R"("clock_lock": "1550 MHz", "supplies": [
    {"psu": "psu-1000-gold", "devices": [1], "card_rail": "480 W"},
    {"psu": "psu-1600-gold", "devices": [2, 0], "host": true}])")
                         .value();
  const NodeSettings& node = s.cluster.nodes[0];
  EXPECT_EQ(node.clock_lock, Hertz(1550e6));
  ASSERT_EQ(node.supplies.size(), 2u);
  EXPECT_EQ(node.supplies[0].psu, "psu-1000-gold");
  EXPECT_EQ(node.supplies[0].card_rail, Watts(480));
  EXPECT_FALSE(node.supplies[0].host);
  EXPECT_EQ(node.supplies[1].devices, (std::vector<int>{2, 0}));
  const Box box = build_machine(s, test::repository_library()).value().boxes[0];
  EXPECT_EQ(box.supplies[1].psu->id, "psu-1600-gold");
  EXPECT_EQ(box.device_supply, (std::vector<int>{1, 0, 1}));
  EXPECT_EQ(box.host_supply, 1);
  EXPECT_EQ(box.control().clock_lock, Hertz(1550e6));
}

// A card that another replica has takes its supply with it.
TEST(ScenarioSupply, AnUnusedCardLeavesTheMapOfTheOthersAlone) {
  Scenario s = read(R"("supplies": [{"psu": "psu-1000-gold", "devices": [0, 1]},
                                    {"psu": "psu-1600-gold", "devices": [2], "host": true}])")
                   .value();
  s.cluster.nodes[0].unused = {1};
  const Box box = build_machine(s, test::repository_library()).value().boxes[0];
  ASSERT_EQ(box.devices.size(), 2u);
  EXPECT_EQ(box.device_supply, (std::vector<int>{0, 1}));
}

TEST(ScenarioSupply, EqualSuppliesMayShareARail) {
  const Scenario s = read(R"("psu": "psu-1600-gold", "psu_count": 2, "supply_sharing": "load_sharing")").value();
  EXPECT_EQ(s.cluster.nodes[0].supply_sharing, SupplySharing::load_sharing);
  EXPECT_THAT(faults(R"("psu": "psu-1600-gold", "supply_sharing": "redundant")"), HasSubstr("\"psu_count\" to 2"));
  EXPECT_THAT(faults(R"("supply_sharing": "redundant")"), HasSubstr("several equal supplies"));
}

TEST(ScenarioSupply, EveryFaultIsToldAtOnceWithItsPlace) {
  const std::string text = faults(R"("psu": "psu-1600-gold", "supplies": [
    {"psu": "psu-1000-gld", "devices": [0, 7, 0.5, "x"]},
    {"psu": "psu-1000-gold", "devices": [0], "hots": true}])");
  EXPECT_THAT(text, HasSubstr("s.json:3:8: error: \"psu\" beside \"supplies\""));
  EXPECT_THAT(text, HasSubstr("s.json:4:13: error: \"psu\": no profile has the id \"psu-1000-gld\""));
  EXPECT_THAT(text, HasSubstr("7 is no place among the 3 of the node"));
  EXPECT_THAT(text, HasSubstr("0.5 is no place among the 3"));
  EXPECT_THAT(text, HasSubstr("device 0 hangs on a supply already"));
  EXPECT_THAT(text, HasSubstr("host"));
  EXPECT_THAT(text, HasSubstr("0 supplies feed the host"));
  EXPECT_THAT(text, HasSubstr("no supply feeds device 1, 2"));
}

// Cards that `size` adds would hang on none of them.
TEST(ScenarioSupply, ABoxToAddToHasEqualSupplies) {
  const test::TemporaryFolder folder;
  Diagnostics warnings;
  const Result<Scenario> scenario = read_scenario(
      folder.write("s.json", R"({"model": {"id": "llama-3.1-8b"}, "size": {"have": {"host": "am4-b550-ryzen-5600",
        "devices": ["rtx-3090"], "supplies": [{"psu": "psu-1000-gold", "devices": [0], "host": true}]}}})"),
      {}, test::repository_library(), test::repository_path("scenarios/models"), warnings);
  ASSERT_FALSE(scenario);
  EXPECT_THAT(print_diagnostics(scenario.error()), HasSubstr("equal supplies only"));
}

TEST(ScenarioSupply, AListIsAListOfAtMostSixteen) {
  EXPECT_THAT(faults(R"("supplies": 3)"), HasSubstr("list of at least one supply"));
  EXPECT_THAT(faults(R"("supplies": [])"), HasSubstr("list of at least one supply"));
  std::string many = R"({"psu": "psu-1000-gold"})";
  for (int i = 0; i < 16; ++i) many += R"(, {"psu": "psu-1000-gold"})";
  EXPECT_THAT(faults("\"supplies\": [" + many + "]"), HasSubstr("17 supplies; the limit is 16"));
}

TEST(ScenarioSupply, ALockOnACardOfUnknownClocksIsWarnedOf) {
  Diagnostics warned;
  ASSERT_TRUE(read(R"("clock_lock": "1550 MHz")", "", &warned));
  EXPECT_TRUE(warned.empty()) << print_diagnostics(warned);
  EXPECT_THAT(faults(R"("clock_lock": "1550 W")"), HasSubstr("clock_lock"));
  EXPECT_THAT(faults(R"("clock_lock": "15 MHz")"), HasSubstr("clock_lock"));
}

TEST(ScenarioSupply, TheSiteHasABreakerOtherLoadsAndAUps) {
  const Site site = read("", R"("breaker": "c", "other_loads": "2000 W",
    "ups": {"rated_va": 1500, "rated": "900 W", "battery": "432 Wh"})")
                        .value()
                        .site;
  EXPECT_EQ(site.breaker, BreakerCurve::c);
  EXPECT_EQ(site.other_loads, Watts(2000));
  ASSERT_TRUE(site.ups);
  EXPECT_EQ(site.ups->rated_volt_amperes, 1500);
  EXPECT_EQ(site.ups->rated, Watts(900));
  EXPECT_EQ(site.ups->battery, Joules(432 * 3600.0));
  const Site plain = read("").value().site;
  EXPECT_FALSE(plain.breaker || plain.ups);
  EXPECT_EQ(plain.other_loads, Watts(0));
  EXPECT_THAT(faults("", R"("breaker": "d")"), HasSubstr("\"breaker\" is \"d\""));
  EXPECT_THAT(faults("", R"("ups": {"rated_va": 1500})"), HasSubstr("battery"));
  EXPECT_THAT(faults("", R"("other_loads": "-5 W")"), HasSubstr("other_loads"));
}

}  // namespace
}  // namespace oblea
