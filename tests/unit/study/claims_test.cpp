#include "study/claims.hpp"

#include <gtest/gtest.h>

namespace oblea {
namespace {

Metric metric(double value, double low, double high) {
  return make_metric("watts", value, "W", low, high, Origin::estimate);
}

Claim claim(const char* name, Relation relation, double value) {
  Claim c;
  c.statement = "somebody says so";
  c.metric = name;
  c.relation = relation;
  c.value = value;
  return c;
}

Report report_of(Metric m) {
  Report report;
  report.metrics = {std::move(m)};
  return report;
}

Result<Report> nobody_asks(const Scenario&) { return fail("no variant was expected"); }

ClaimRow judged(const Claim& c, const Report& report) {
  Scenario scenario;
  scenario.claims = {c};
  return check_claims(scenario, report, nobody_asks).value().front();
}

TEST(Claims, ARelationHoldsOrNot) {
  EXPECT_TRUE(holds(28, Relation::equal, 28, 0));
  EXPECT_FALSE(holds(28.1, Relation::equal, 28, 0.5)) << "equal knows no tolerance";
  EXPECT_TRUE(holds(28, Relation::at_least, 28, 0));
  EXPECT_FALSE(holds(27.9, Relation::at_least, 28, 0));
  EXPECT_TRUE(holds(28, Relation::at_most, 28, 0));
  EXPECT_FALSE(holds(28.1, Relation::at_most, 28, 0));
  EXPECT_TRUE(holds(105, Relation::about, 100, 0.05));
  EXPECT_FALSE(holds(105.1, Relation::about, 100, 0.05));
  EXPECT_TRUE(holds(-95, Relation::about, -100, 0.05));
}

TEST(Claims, ABandAgreesWhenBothOfItsEndsGiveTheSameAnswer) {
  EXPECT_TRUE(band_agrees(metric(100, 90, 110), Relation::at_most, 120, 0));
  EXPECT_FALSE(band_agrees(metric(100, 90, 130), Relation::at_most, 120, 0));
  EXPECT_TRUE(band_agrees(metric(100, 90, 110), Relation::at_most, 80, 0));
  EXPECT_FALSE(band_agrees(metric(100, 70, 110), Relation::at_most, 80, 0));
  EXPECT_TRUE(band_agrees(metric(100, 100, 100), Relation::equal, 99, 0));
  EXPECT_FALSE(band_agrees(metric(100, 99, 101), Relation::equal, 99, 0))
      << "a figure with a band equals nothing for sure";
}

// 60 to 140 reaches past both sides of 95 to 105, where the value is not: it could be inside.
TEST(Claims, ABandThatSpansWhatIsClaimedLeavesRoom) {
  EXPECT_FALSE(band_agrees(metric(120, 60, 140), Relation::about, 100, 0.05));
  EXPECT_TRUE(band_agrees(metric(120, 110, 140), Relation::about, 100, 0.05));
  EXPECT_TRUE(band_agrees(metric(101, 98, 104), Relation::about, 100, 0.05));
}

TEST(Claims, TheFigureDecidesAndTheBandIsTold) {
  const ClaimRow row = judged(claim("watts", Relation::at_most, 120), report_of(metric(100, 90, 130)));
  EXPECT_EQ(row.outcome, ClaimOutcome::confirmed);
  EXPECT_NE(row.computed.find("100 W (90"), std::string::npos) << row.computed;
  EXPECT_NE(row.computed.find("leaves room for the opposite"), std::string::npos) << row.computed;
  EXPECT_EQ(judged(claim("watts", Relation::at_most, 80), report_of(metric(100, 90, 130))).outcome,
            ClaimOutcome::refuted);
}

TEST(Claims, YesAndNoAreWords) {
  Claim c = claim("fits", Relation::equal, 1);
  c.boolean = true;
  const ClaimRow row = judged(c, report_of(exact_metric("fits", 0, "yes/no")));
  EXPECT_EQ(row.claimed, "fits = yes");
  EXPECT_EQ(row.computed, "no");
  EXPECT_EQ(row.outcome, ClaimOutcome::refuted);
}

TEST(Claims, AFigureThatTheRunDoesNotHaveIsUnknown) {
  const ClaimRow row = judged(claim("wafers", Relation::equal, 59), report_of(metric(1, 1, 1)));
  EXPECT_EQ(row.outcome, ClaimOutcome::unknown);
  EXPECT_FALSE(row.computed.empty());
}

TEST(Claims, TheVerdictThatSaysNoIsTheArithmetic) {
  Report report = report_of(exact_metric("fits", 0, "yes/no"));
  report.verdicts.push_back({"does-not-fit", Answer::no, "39.6 GiB against 26.4 GiB"});
  EXPECT_EQ(judged(claim("fits", Relation::equal, 1), report).arithmetic, "39.6 GiB against 26.4 GiB");
}

TEST(Claims, AClaimWithSettingsOfItsOwnIsAskedOfItsVariant) {
  Scenario scenario;
  scenario.claims = {claim("watts", Relation::at_most, 120), claim("watts", Relation::at_most, 120)};
  auto variant = std::make_shared<Scenario>();
  variant->question = "the variant";
  scenario.claims[1].variant = variant;
  int asked = 0;
  const auto rows = check_claims(scenario, report_of(metric(100, 100, 100)), [&](const Scenario& s) -> Result<Report> {
    ++asked;
    EXPECT_EQ(s.question, "the variant");
    return report_of(metric(200, 200, 200));
  });
  ASSERT_TRUE(rows);
  EXPECT_EQ(asked, 1);
  EXPECT_EQ((*rows)[0].outcome, ClaimOutcome::confirmed);
  EXPECT_EQ((*rows)[1].outcome, ClaimOutcome::refuted);
}

TEST(Claims, EveryFaultOfTheVariantsIsReported) {
  Scenario scenario;
  for (int i = 0; i < 2; ++i) {
    scenario.claims.push_back(claim("watts", Relation::equal, 1));
    scenario.claims.back().variant = std::make_shared<Scenario>();
  }
  const auto rows = check_claims(scenario, Report{}, nobody_asks);
  ASSERT_FALSE(rows);
  EXPECT_EQ(rows.error().size(), 2u);
}

}  // namespace
}  // namespace oblea
