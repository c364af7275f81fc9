#include "io/timing_parameters_file.hpp"

#include <gtest/gtest.h>

namespace oblea {
namespace {

TEST(TimingParametersFile, WhatIsPrintedReadsBack) {
  TimingParameters written = prior_timing_parameters();
  written.date = "2026-05-18";
  written.bands[0] = {-0.25, 0.125};
  written.families[1].set(static_cast<std::size_t>(find_family("apple unified")));
  written.unseen_widening = {1.0, 1.5};
  const auto read = parse_timing_parameters(print_timing_parameters(written), "test.json");
  ASSERT_TRUE(read) << print_diagnostics(read.error());
  for (std::size_t i = 0; i < written.values.size(); ++i)
    EXPECT_NEAR(read->values[i], written.values[i], 1e-5 * written.values[i]);
  EXPECT_DOUBLE_EQ(read->bands[0].low, -0.25);
  EXPECT_EQ(read->families[0], written.families[0]);
  EXPECT_EQ(read->families[1], written.families[1]);
  EXPECT_DOUBLE_EQ(read->unseen_widening[1], 1.5);
  EXPECT_EQ(read->date, "2026-05-18");
}

TEST(TimingParametersFile, AFamilyThatNobodyMakesIsNamed) {
  TimingParameters written = prior_timing_parameters();
  written.families[0].set(0);
  std::string text = print_timing_parameters(written);
  text.replace(text.find("nvidia gddr"), 11, "nvidia core");
  const auto read = parse_timing_parameters(text, "test.json");
  ASSERT_FALSE(read);
  EXPECT_NE(print_diagnostics(read.error()).find("nvidia core"), std::string::npos);
}

TEST(TimingParametersFile, AMissingParameterIsNamed) {
  std::string text = print_timing_parameters(prior_timing_parameters());
  text.replace(text.find("\"cpu_share\""), 11, "\"cpu_shape\"");
  const auto read = parse_timing_parameters(text, "test.json");
  ASSERT_FALSE(read);
  EXPECT_NE(print_diagnostics(read.error()).find("cpu_share"), std::string::npos);
}

}  // namespace
}  // namespace oblea
