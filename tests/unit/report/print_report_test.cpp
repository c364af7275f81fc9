#include "report/print_report.hpp"

#include <gtest/gtest.h>

#include "unit/report/example_report.hpp"

namespace oblea {
namespace {

bool holds(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

TEST(PrintReport, SaysTheAnswerBeforeTheArithmetic) {
  const std::string text = print_report(test::example_report());
  const std::size_t question = text.find("Which build runs a 70B for two?");
  const std::size_t answer = text.find("[yes] does-not-fit");
  const std::size_t builds = text.find("Builds that answer the question (1 shown of 1");
  const std::size_t claims = text.find("[REFUTED] \"it is fast\"");
  ASSERT_NE(claims, std::string::npos) << text;
  EXPECT_EQ(question, 0u);
  EXPECT_LT(answer, builds);
  EXPECT_LT(builds, claims);
  EXPECT_TRUE(text.ends_with("oblea 0.1.0, input 00000000000000aa, library ffffffffffffffff\n"));
}

// 2 x 650 USD x 0.9 + 150 EUR = 1,320 EUR.
TEST(PrintReport, AddsTheBillUp) {
  const std::string text = print_report(test::example_report());
  EXPECT_TRUE(holds(text, "1,320")) << text;
  EXPECT_TRUE(holds(text, "RTX 3090"));
  EXPECT_TRUE(holds(text, "used"));
}

TEST(PrintReport, NoFigureStandsWithoutItsBandAndOrigin) {
  const std::string text = print_report(test::example_report());
  EXPECT_TRUE(holds(text, "15.0 to 19.5") || holds(text, "15 to 19.5")) << text;
  EXPECT_TRUE(holds(text, "measured-elsewhere"));
  EXPECT_TRUE(holds(text, "exact"));
}

TEST(PrintReport, PrintsAsManyBuildsAsAsked) {
  Report report = test::example_report();
  report.builds.push_back(report.builds.front());
  report.builds.back().name = "the second build";
  EXPECT_TRUE(holds(print_report(report, {.builds = 1}), "the second build")) << "a build with a label is always shown";
  report.builds.back().label = "";
  EXPECT_FALSE(holds(print_report(report, {.builds = 1}), "the second build"));
  EXPECT_TRUE(holds(print_report(report, {.builds = 2}), "the second build"));
  report.lost.push_back({"the other loser", {1, Currency::eur}, "w"});
  EXPECT_FALSE(holds(print_report(report, {.lost = 1}), "the other loser"));
}

TEST(PrintReport, AnEmptyReportIsShort) { EXPECT_EQ(print_report({}), "\noblea \n"); }

TEST(PrintReport, LetsNothingFromAFileSteerTheTerminal) {
  Report report = test::example_report();
  const std::string evil =
      "\x1b]0;owned\x07 \xC2\x9B"
      "31m";
  report.question = report.notes[0] = report.placement[0].device = report.builds[0].name = evil;
  report.builds[0].placement = report.builds[0].mixture = report.builds[0].label = evil;
  report.verdicts[0].name = report.verdicts[0].words = report.claims[0].statement = evil;
  report.bill->lines[0].name = report.bill->lines[0].source.text = report.lost[0].name = evil;
  for (const char c : print_report(report)) EXPECT_TRUE(c == '\n' || static_cast<unsigned char>(c) >= 0x20);
}

}  // namespace
}  // namespace oblea
