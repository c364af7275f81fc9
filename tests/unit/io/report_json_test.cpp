#include "io/report_json.hpp"

#include <limits>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "support/json_schema.hpp"
#include "unit/report/example_report.hpp"

namespace oblea {
namespace {

using Json = nlohmann::ordered_json;

std::vector<std::string> keys_of(const Json& object) {
  std::vector<std::string> keys;
  for (const auto& [key, value] : object.items()) keys.push_back(key);
  return keys;
}

TEST(ReportJson, IsValidByThePublishedSchema) {
  EXPECT_EQ(test::schema_faults("report", write_report_json(test::example_report())), "");
  EXPECT_EQ(test::schema_faults("report", write_report_json([] {
                                  Report report;
                                  report.command = "place";
                                  return report;
                                }())),
            "");
}

TEST(ReportJson, TheSchemaNoticesEveryKeyThatIsMissingOrNew) {
  const Json good = Json::parse(write_report_json(test::example_report()));
  for (const char* pointer : {"", "/metrics/0", "/verdicts/0", "/placement/0", "/options/0", "/claims/0", "/bill",
                              "/bill/lines/0", "/bill/total", "/builds/0", "/lost/0"}) {
    const Json::json_pointer at(pointer);
    Json bad = good;
    bad[at]["bogus"] = 1;
    EXPECT_NE(test::schema_faults("report", bad.dump()), "") << pointer;
    for (const std::string& key : keys_of(good.at(at))) {
      if (key == "bill" && *pointer == 0) continue;  // only where there is one
      if (key == "total") continue;                  // only where every currency has a rate
      bad = good;
      bad[at].erase(key);
      EXPECT_NE(test::schema_faults("report", bad.dump()), "") << pointer << " " << key;
    }
  }
}

TEST(ReportJson, KeysStandInAFixedOrderWithTheFormatFirst) {
  const Json json = Json::parse(write_report_json(test::example_report()));
  EXPECT_EQ(keys_of(json), (std::vector<std::string>{"format", "command", "question", "version", "input_hash",
                                                     "library_hash", "verdicts", "metrics", "placement", "tables",
                                                     "options", "launch", "builds", "lost", "claims", "notes", "provenance", "bill"}));
  EXPECT_EQ(keys_of(json["metrics"][0]), (std::vector<std::string>{"name", "value", "unit", "low", "high", "origin"}));
}

TEST(ReportJson, TheSameReportGivesTheSameBytes) {
  EXPECT_EQ(write_report_json(test::example_report()), write_report_json(test::example_report()));
  EXPECT_TRUE(write_report_json(test::example_report()).ends_with("}\n"));
}

TEST(ReportJson, NumbersComeBackExactly) {
  Report report = test::example_report();
  const double third = 1.0 / 3;
  report.metrics = {make_metric("a", third, "s", 5e-324, 1.7976931348623157e308, Origin::estimate),
                    exact_metric("b", 9007199254740992.0, "B")};
  const Json json = Json::parse(write_report_json(report));
  EXPECT_EQ(json["metrics"][0]["value"].get<double>(), third);
  EXPECT_EQ(json["metrics"][0]["low"].get<double>(), 5e-324);
  EXPECT_EQ(json["metrics"][0]["high"].get<double>(), 1.7976931348623157e308);
  EXPECT_EQ(json["metrics"][1]["value"].get<double>(), 9007199254740992.0);
}

// 2 x 650 USD x 0.9 + 150 EUR = 1,320 EUR; used 20 % either side, new 10 %: 1,320 - 234 - 15 = 1,071 to 1,569 EUR.
TEST(ReportJson, TheBillHasItsTotalAndBand) {
  const Json json = Json::parse(write_report_json(test::example_report()));
  EXPECT_NEAR(json["bill"]["total"]["value"].get<double>(), 1320, 1e-9);
  EXPECT_NEAR(json["bill"]["total"]["low"].get<double>(), 1071, 1e-9);
  EXPECT_NEAR(json["bill"]["total"]["high"].get<double>(), 1569, 1e-9);
  EXPECT_EQ(json["bill"]["lines"][0]["condition"], "used");
  EXPECT_EQ(json["bill"]["lines"][0]["confidence"], "review");
}

TEST(ReportJson, ABillWithoutARateHasNoTotal) {
  Report report = test::example_report();
  report.bill->rates = {};
  const Json json = Json::parse(write_report_json(report));
  EXPECT_FALSE(json["bill"].contains("total"));
  EXPECT_EQ(test::schema_faults("report", json.dump()), "");
}

TEST(ReportJson, TextThatIsNoUtf8IsReplacedNotRefused) {
  Report report = test::example_report();
  report.question = "a\xff b \x1b";
  const std::string text = write_report_json(report);
  EXPECT_NE(text.find("\\u001b"), std::string::npos);
  EXPECT_EQ(test::schema_faults("report", text), "");
}

TEST(ReportJsonDeathTest, RefusesWhatIsNotFinite) {
  Report report = test::example_report();
  report.metrics[0].value = std::numeric_limits<double>::quiet_NaN();
  EXPECT_DEATH(write_report_json(report), "finite numbers only");
  report = test::example_report();
  report.metrics[0].high = std::numeric_limits<double>::infinity();
  EXPECT_DEATH(write_report_json(report), "finite numbers only");
}

}  // namespace
}  // namespace oblea
