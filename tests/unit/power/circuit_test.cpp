#include "power/circuit.hpp"

#include <gtest/gtest.h>

namespace oblea {
namespace {

CircuitVerdict verdict(std::string_view id, double watts, double others = 0) {
  const Circuit* circuit = find_circuit(id);
  EXPECT_NE(circuit, nullptr) << id;
  return assess_circuit(*circuit, Watts(watts), Watts(others)).verdict;
}

TEST(Circuit, BreakersAndTheirContinuousShare) {
  EXPECT_DOUBLE_EQ(breaker_watts(*find_circuit("eu-16a")).value(), 3680);
  EXPECT_DOUBLE_EQ(continuous_watts(*find_circuit("eu-16a")).value(), 2944);
  EXPECT_DOUBLE_EQ(breaker_watts(*find_circuit("us-15a")).value(), 1800);
  EXPECT_DOUBLE_EQ(continuous_watts(*find_circuit("us-15a")).value(), 1440);
  EXPECT_DOUBLE_EQ(continuous_watts(*find_circuit("us-20a")).value(), 1920);
  EXPECT_DOUBLE_EQ(breaker_watts(*find_circuit("uk-13a")).value(), 2990);
  EXPECT_EQ(find_circuit("mars-1a"), nullptr);
}

TEST(Circuit, FourRtx3090FitTheEuropeanAndNotTheAmericanOne) {
  EXPECT_EQ(verdict("eu-16a", 1685), CircuitVerdict::fits);
  EXPECT_EQ(verdict("us-15a", 1685), CircuitVerdict::does_not_fit);
  EXPECT_EQ(verdict("us-20a", 1685), CircuitVerdict::fits);
}

TEST(Circuit, EightyPercentIsARuleInTheUsAndAWarningInEurope) {
  EXPECT_EQ(verdict("eu-16a", 2944), CircuitVerdict::fits);
  EXPECT_EQ(verdict("eu-16a", 2945), CircuitVerdict::tight);
  EXPECT_EQ(verdict("eu-16a", 3681), CircuitVerdict::does_not_fit);
  EXPECT_EQ(verdict("us-15a", 1440), CircuitVerdict::fits);
  EXPECT_EQ(verdict("us-15a", 1441), CircuitVerdict::does_not_fit);
}

TEST(Circuit, WhatElseHangsOnTheBreakerCounts) {
  EXPECT_EQ(verdict("eu-16a", 1685, 2000), CircuitVerdict::does_not_fit);  // a kettle
}

}  // namespace
}  // namespace oblea
