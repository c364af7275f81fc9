#include "io/openmetrics_file.hpp"

#include <limits>

#include <gtest/gtest.h>

namespace oblea {
namespace {

TimeSeries one(Series series) { return {{"oblea_wall_watts", "Drawn.", "watts", {std::move(series)}}}; }

TEST(OpenMetricsFile, TheExampleOfTheHeader) {
  EXPECT_EQ(write_openmetrics(one({{{"psu", "0"}}, {{1.25, 412.5}, {61.25, 400}}}), 1767225600),
            "# TYPE oblea_wall_watts gauge\n"
            "# UNIT oblea_wall_watts watts\n"
            "# HELP oblea_wall_watts Drawn.\n"
            "oblea_wall_watts{psu=\"0\"} 412.5 1767225601.250\n"
            "oblea_wall_watts{psu=\"0\"} 400 1767225661.250\n"
            "# EOF\n");
}

TEST(OpenMetricsFile, WithoutUnitOrLabelsNeitherIsWritten) {
  EXPECT_EQ(write_openmetrics({{"DCGM_FI_DEV_GPU_TEMP", "GPU temperature (in C).", "", {{{}, {{0, 65}}}}}}, 0),
            "# TYPE DCGM_FI_DEV_GPU_TEMP gauge\n"
            "# HELP DCGM_FI_DEV_GPU_TEMP GPU temperature (in C).\n"
            "DCGM_FI_DEV_GPU_TEMP 65 0.000\n"
            "# EOF\n");
}

TEST(OpenMetricsFile, BackslashQuoteAndLineEndAreEscaped) {
  const std::string text =
      write_openmetrics({{"a", "x\\y\n\"z\"", "", {{{{"model", "C:\\dir \"7B\"\nnew"}}, {{0, 1}}}}}}, 0);
  EXPECT_NE(text.find("# HELP a x\\\\y\\n\\\"z\\\"\n"), std::string::npos) << text;
  EXPECT_NE(text.find("a{model=\"C:\\\\dir \\\"7B\\\"\\nnew\"} 1"), std::string::npos) << text;
}

TEST(OpenMetricsFile, NumbersReadBackAndInfinityHasTheFormatsSpelling) {
  const double third = 1.0 / 3;
  const std::string text = write_openmetrics({{"a",
                                               "",
                                               "",
                                               {{{},
                                                 {{0, third},
                                                  {1, std::numeric_limits<double>::infinity()},
                                                  {2, -std::numeric_limits<double>::infinity()},
                                                  {3, std::numeric_limits<double>::quiet_NaN()}}}}}},
                                             0);
  EXPECT_NE(text.find("a 0.3333333333333333 0.000\n"), std::string::npos) << text;
  EXPECT_NE(text.find("a +Inf 1.000\na -Inf 2.000\na NaN 3.000\n"), std::string::npos) << text;
}

TEST(OpenMetricsFile, AFamilyWithoutSamplesIsLeftOut) {
  EXPECT_EQ(write_openmetrics(one({{{"psu", "0"}}, {}}), 0), "# EOF\n");
  EXPECT_EQ(write_openmetrics({}, 0), "# EOF\n");
}

TEST(OpenMetricsFileDeathTest, WhatPrometheusWouldRefuseIsOurBug) {
  EXPECT_DEATH(write_openmetrics(one({{}, {{1, 0}, {1.0001, 0}}}), 0), "a millisecond apart");
  EXPECT_DEATH(write_openmetrics(one({{{"a", ""}, {"a", ""}}, {{0, 0}}}), 0), "a label stands once");
  EXPECT_DEATH(write_openmetrics(one({{{"a-b", ""}}, {{0, 0}}}), 0), "letters, digits and underscores");
  EXPECT_DEATH(write_openmetrics({{"wall", "", "watts", {{{}, {{0, 0}}}}}}, 0), "ends in its unit");
  EXPECT_DEATH(write_openmetrics({{"a", "", "", {{{}, {{0, 0}}}, {{}, {{0, 0}}}}}}, 0), "stands once in a family");
  EXPECT_DEATH(write_openmetrics({{"a", "", "", {{{}, {{0, 0}}}}}, {"a", "", "", {}}}, 0), "stands once in a file");
}

}  // namespace
}  // namespace oblea
