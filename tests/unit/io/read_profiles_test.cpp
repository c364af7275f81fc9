#include "io/read_profiles.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "support/temporary_folder.hpp"

namespace oblea {
namespace {

using Json = nlohmann::ordered_json;
using test::TemporaryFolder;

const std::string kFolder = std::string(OBLEA_SOURCE_DIRECTORY) + "/hardware-profiles";

const ProfileLibrary& library() {
  static const ProfileLibrary loaded = read_profile_library(kFolder).value();
  return loaded;
}

Json profile(const std::string& path) { return Json::parse(test::read_file(kFolder + "/" + path)); }

// What is wrong with a profile of the user's, in words.
std::string faults_of(const Json& json) {
  static const TemporaryFolder folder;
  return print_diagnostics(check_profile_file(folder.write("mine.json", json.dump(2)), library()));
}

bool holds(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

TEST(ProfileLibrary, LoadsWhole) {
  const Result<ProfileLibrary> loaded = read_profile_library(kFolder);
  ASSERT_TRUE(loaded) << print_diagnostics(loaded.error());
  EXPECT_GT(loaded->devices.size(), 60u);
  EXPECT_GT(loaded->hosts.size(), 15u);
  EXPECT_GT(loaded->psus.size(), 5u);
  EXPECT_GT(loaded->prices.prices.size(), 50u);
  EXPECT_NE(find_pcie(*loaded, 3, 16), nullptr);
  EXPECT_EQ(loaded->content_hash.size(), 16u);
}

// Figures of the datasheet: 24 GiB, 936 GB/s, 350 W.
TEST(ProfileLibrary, ARtx3090IsARtx3090) {
  const Device* device = find(library().devices, "rtx-3090");
  ASSERT_NE(device, nullptr);
  EXPECT_EQ(device->memory.value, kGiB * 24);
  EXPECT_NEAR(device->memory_bandwidth.value.value(), 936e9, 1e9);
  EXPECT_EQ(device->tdp.value, Watts(350));
  EXPECT_FALSE(device->tdp.source.text.empty());
}

TEST(ProfileLibrary, EveryFileIsNamedAfterItsId) {
  const auto sheets = read_profile_sheets(kFolder).value();
  for (const ProfileSheet& sheet : sheets)
    EXPECT_TRUE(sheet.path.ends_with("/" + sheet.id + ".json")) << sheet.path << " " << sheet.id;
}

TEST(ProfileLibrary, PricesAreSortedByItem) {
  const std::vector<Price>& prices = library().prices.prices;
  for (std::size_t i = 1; i < prices.size(); ++i) EXPECT_LE(prices[i - 1].item, prices[i].item);
}

TEST(ProfileLibrary, AFolderWithoutProfilesIsAFault) {
  const TemporaryFolder folder;
  EXPECT_FALSE(read_profile_library(folder.path()));
  EXPECT_FALSE(read_profile_library(folder.path("none")));
}

TEST(ProfileLibrary, FaultsOfAllFilesComeAtOnce) {
  const TemporaryFolder folder;
  folder.write("a.json", R"({"kind": "gpu", "id": ""})");
  folder.write("b.json", "{");
  folder.write("c.json", R"({"kind": "gpx"})");
  const Result<ProfileLibrary> loaded = read_profile_library(folder.path());
  ASSERT_FALSE(loaded);
  const std::string text = print_diagnostics(loaded.error());
  for (const char* name : {"/a.json:1:", "/b.json:1:2: ", "/c.json:1:10: "}) EXPECT_TRUE(holds(text, name)) << text;
  EXPECT_TRUE(holds(text, "did you mean \"gpu\"?"));
}

TEST(ProfileCheck, FindsNothingWrongWithTheLibrarysOwn) {
  EXPECT_EQ(faults_of(profile("devices/rtx-3090.json")), "");
  EXPECT_EQ(faults_of(profile("hosts/am4-b550-ryzen-5600.json")), "");
}

TEST(ProfileCheck, NamesEveryMissingField) {
  const std::string text = faults_of(Json{{"kind", "gpu"}, {"id", "mine"}});
  for (const char* key : {"name", "vendor", "architecture", "memory", "memory_bandwidth", "tdp", "idle"}) {
    EXPECT_TRUE(holds(text, std::string("lacks \"") + key + "\"")) << key << "\n" << text;
  }
}

TEST(ProfileCheck, AWrongUnitComesWithTheRightOne) {
  Json json = profile("devices/rtx-3090.json");
  json["memory"]["value"] = "24 gb";
  json["tdp"]["value"] = "350 J";
  json["memory_bandwidth"]["value"] = 936;
  const std::string text = faults_of(json);
  EXPECT_TRUE(holds(text, "24 GiB")) << text;
  EXPECT_TRUE(holds(text, "\"tdp\"")) << text;
  EXPECT_TRUE(holds(text, "with its unit in quotes, not a number")) << text;
}

TEST(ProfileCheck, NumbersThatCannotBeAreFaults) {
  Json json = profile("devices/rtx-3090.json");
  json["tdp"]["value"] = "0 W";
  json["memory"]["value"] = "-24 GiB";
  EXPECT_TRUE(holds(faults_of(json), "\"tdp\" is 0 W; it must be greater than 0"));
  EXPECT_TRUE(holds(faults_of(json), "\"memory\""));
  json = profile("devices/rtx-3090.json");
  json["idle"]["value"] = "400 W";
  EXPECT_TRUE(holds(faults_of(json), "idles above its TDP"));
  json = profile("links/nic-x520.json");
  json["goodput"]["value"] = "100 Gbps";
  EXPECT_TRUE(holds(faults_of(json), "goodput exceeds its line rate"));
}

TEST(ProfileCheck, AnUnknownKeyOrConfidenceIsCompared) {
  Json json = profile("devices/rtx-3090.json");
  json["memory_bandwith"] = json["memory_bandwidth"];
  json["tdp"]["confidence"] = "mesured";
  const std::string text = faults_of(json);
  EXPECT_TRUE(holds(text, "did you mean \"memory_bandwidth\"?")) << text;
  EXPECT_TRUE(holds(text, "did you mean \"measured\"?")) << text;
}

TEST(ProfileCheck, PlugsAreCountedAndKnown) {
  Json json = profile("psus/psu-850-gold.json");
  for (const char* plugs :
       {"4x pcie-8pim", "ax pcie-8pin", "-1x pcie-8pin", "2.5x pcie-8pin", "0x pcie-8pin", "100x pcie-8pin"}) {
    json["connectors"]["value"] = plugs;
    EXPECT_TRUE(holds(faults_of(json), "error")) << plugs;
  }
  for (const char* plugs : {"none", "pcie-8pin", "2x pcie-8pin+1x 12vhpwr", "1x eps-8pin + 3x pcie-6pin"}) {
    json["connectors"]["value"] = plugs;
    EXPECT_EQ(faults_of(json), "") << plugs;
  }
}

TEST(ProfileCheck, CurvesAreSortedListsOfShares) {
  Json json = profile("psus/psu-850-gold.json");
  for (const char* curve :
       {"[]", "[[0.5]]", "[[0.5, 0.9], [0.2, 0.9]]", "[[0.5, 1.1]]", "[[0.5, \"0.9\"]]", "3", "[3]"}) {
    json["efficiency_230v"]["value"] = Json::parse(curve);
    EXPECT_TRUE(holds(faults_of(json), "efficiency_230v")) << curve;
  }
}

TEST(ProfileCheck, WhatMustBeAListIsNotSilentlyEmpty) {
  Json json = profile("links/pcie.json");
  json["links"] = 3;
  EXPECT_TRUE(holds(faults_of(json), "\"links\" must be a list, not a number"));
  json = profile("prices/2026-11.json");
  json["prices"] = json["tariffs"] = Json::object();
  EXPECT_TRUE(holds(faults_of(json), "\"prices\" must be a list, not an object"));
  EXPECT_TRUE(holds(faults_of(json), "\"tariffs\" must be a list, not an object"));
  json = profile("hosts/am4-b550-ryzen-5600.json");
  json["slots"]["value"] = "two";
  EXPECT_TRUE(holds(faults_of(json), "\"slots\" must be a list, not a string"));
  json = profile("links/switch-crs309.json");
  json["ports"]["value"] = Json::array();
  EXPECT_TRUE(holds(faults_of(json), "switch has no ports"));
}

// ---- references ----

TEST(ProfileCheck, AReferenceThatLeadsNowhereIsPointedAt) {
  Json json = profile("hosts/am4-b550-ryzen-5600.json");
  json["id"] = "mine";
  json["cpu"] = "ryzen-5-560";
  json["nic"] = "nic-2.5gb";
  const std::string text = faults_of(json);
  EXPECT_TRUE(holds(text, "mine.json:")) << text;
  EXPECT_TRUE(holds(text, "host \"mine\": CPU \"ryzen-5-560\" has no profile")) << text;
  EXPECT_TRUE(holds(text, "did you mean \"ryzen-5-5600\"?")) << text;
  EXPECT_TRUE(holds(text, "NIC \"nic-2.5gb\" has no profile")) << text;
}

Json price_list(const std::string& item, const Json& price) {
  return {{"id", "mine"},
          {"kind", "price_list"},
          {"exchange_rates",
           {{"USD", {{"value", "0.9 EUR"}, {"source", "s"}, {"date", "2026-11"}, {"confidence", "review"}}}}},
          {"prices",
           {{{"item", item},
             {"price", price},
             {"condition", "used"},
             {"source", "s"},
             {"date", "2026-11"},
             {"confidence", "review"}}}}};
}

TEST(ProfileCheck, ANasNamesAKnownNetworkCard) {
  Json json = profile("storage/nas-nvme-10gbe.json");
  json["id"] = "mine";
  EXPECT_EQ(faults_of(json), "");
  json["nic"] = "nic-10gbase";
  const std::string text = faults_of(json);
  EXPECT_TRUE(holds(text, "storage \"mine\": NIC \"nic-10gbase\" has no profile")) << text;
  EXPECT_TRUE(holds(text, "did you mean \"nic-10gbase-t\"?")) << text;
}

TEST(ProfileCheck, APriceForNothingIsPointedAt) {
  const std::string text = faults_of(price_list("rtx-309", "600 EUR"));
  EXPECT_TRUE(holds(text, "mine.json:14:15: error: price list \"mine\": item \"rtx-309\" has no profile")) << text;
  EXPECT_TRUE(holds(text, "did you mean \"rtx-3090\"?")) << text;
}

TEST(ProfileCheck, APriceIsAPositiveAmountOfACurrency) {
  EXPECT_EQ(faults_of(price_list("rtx-3090", "600 EUR")), "");
  EXPECT_TRUE(holds(faults_of(price_list("rtx-3090", "-1 EUR")), "must be greater than 0"));
  EXPECT_TRUE(holds(faults_of(price_list("rtx-3090", "0 EUR")), "\"price\" is 0 EUR; a price must be greater than 0"));
  EXPECT_TRUE(holds(faults_of(price_list("rtx-3090", 600)), "an amount with its currency in quotes"));
  EXPECT_TRUE(holds(faults_of(price_list("rtx-3090", "600")), "\"price\""));
  EXPECT_TRUE(holds(faults_of(price_list("rtx-3090", "600 GBP")), "\"price\""));
  Json json = price_list("rtx-3090", "600 EUR");
  json["exchange_rates"]["USD"]["value"] = "0 EUR";
  EXPECT_TRUE(holds(faults_of(json), "a positive amount of EUR"));
}

// ---- the user's own files ----

TEST(AddProfileFile, ReplacesTheLibrarysProfileOfThatId) {
  const TemporaryFolder folder;
  ProfileLibrary mine = library();
  Diagnostics warnings;
  Json json = profile("devices/rtx-3090.json");
  json["tdp"]["value"] = "390 W";
  ASSERT_TRUE(add_profile_file(mine, folder.write("x.json", json.dump()), warnings));
  EXPECT_EQ(find(mine.devices, "rtx-3090")->tdp.value, Watts(390));
  EXPECT_EQ(find(library().devices, "rtx-3090")->tdp.value, Watts(350));
  EXPECT_EQ(mine.devices.size(), library().devices.size());
  EXPECT_NE(mine.content_hash, library().content_hash);
}

TEST(AddProfileFile, OnePriceReplacesOneAndTheOthersStay) {
  const TemporaryFolder folder;
  ProfileLibrary mine = library();
  Diagnostics warnings;
  ASSERT_TRUE(add_profile_file(mine, folder.write("p.json", price_list("rtx-3090", "1 EUR").dump()), warnings));
  EXPECT_EQ(mine.prices.prices.size(), library().prices.prices.size());
  EXPECT_EQ(mine.prices.tariffs.size(), library().prices.tariffs.size());
  EXPECT_EQ(mine.prices.rates.euros_per_usd, 0.9);
  const auto is_it = [](const Price& p) { return p.item == "rtx-3090" && p.condition == Condition::used; };
  const auto it = std::find_if(mine.prices.prices.begin(), mine.prices.prices.end(), is_it);
  ASSERT_NE(it, mine.prices.prices.end());
  EXPECT_EQ(it->money.amount, 1);
}

TEST(AddProfileFile, AFaultyFileLeavesTheLibraryAsItWas) {
  const TemporaryFolder folder;
  ProfileLibrary mine = library();
  Diagnostics warnings;
  Json json = profile("devices/rtx-3090.json");
  json["id"] = "half";
  json.erase("tdp");
  EXPECT_FALSE(add_profile_file(mine, folder.write("x.json", json.dump()), warnings));
  EXPECT_FALSE(add_profile_file(mine, folder.path("missing.json"), warnings));
  EXPECT_FALSE(add_profile_file(mine, folder.path(), warnings));
  EXPECT_EQ(mine.devices.size(), library().devices.size());
  EXPECT_EQ(mine.content_hash, library().content_hash);
}

TEST(ProfileSheets, ListEveryNumberWithItsSource) {
  const auto sheets = read_profile_sheets(kFolder).value();
  const auto it = std::find_if(sheets.begin(), sheets.end(), [](const ProfileSheet& s) { return s.id == "rtx-3090"; });
  ASSERT_NE(it, sheets.end());
  EXPECT_EQ(it->kind, "gpu");
  for (const ProfileField& field : it->fields) {
    if (field.key != "tdp") continue;
    EXPECT_EQ(field.value, "350 W");
    EXPECT_FALSE(field.source.text.empty());
    EXPECT_FALSE(field.source.date.empty());
  }
}

}  // namespace
}  // namespace oblea
