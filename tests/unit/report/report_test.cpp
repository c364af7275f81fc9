#include "report/report.hpp"

#include <gtest/gtest.h>

namespace oblea {
namespace {

TEST(MakeMetric, PutsTheBandInOrderAndAroundTheValue) {
  const Metric swapped = make_metric("x", 5, "s", 7, 3, Origin::estimate);
  EXPECT_EQ(swapped.low, 3);
  EXPECT_EQ(swapped.high, 7);
  EXPECT_EQ(make_metric("x", 2, "s", 3, 7, Origin::estimate).low, 2);
  EXPECT_EQ(make_metric("x", 9, "s", 3, 7, Origin::estimate).high, 9);
}

TEST(ExactMetric, HasNoBand) {
  const Metric metric = exact_metric("price", 1320, "EUR");
  EXPECT_EQ(metric.low, 1320);
  EXPECT_EQ(metric.high, 1320);
  EXPECT_EQ(metric.origin, Origin::datasheet);
}

TEST(FindMetric, TakesTheFirstOfThatName) {
  const std::vector<Metric> metrics = {exact_metric("a", 1, ""), exact_metric("b", 2, ""), exact_metric("b", 3, "")};
  EXPECT_EQ(find_metric(metrics, "b")->value, 2);
  EXPECT_EQ(find_metric(metrics, "c"), nullptr);
}

TEST(OriginName, EveryOriginHasOne) {
  EXPECT_EQ(origin_name(Origin::measured_here), "measured-here");
  EXPECT_EQ(origin_name(Origin::measured_elsewhere), "measured-elsewhere");
  EXPECT_EQ(origin_name(Origin::datasheet), "datasheet");
  EXPECT_EQ(origin_name(Origin::estimate), "estimate");
}

}  // namespace
}  // namespace oblea
