#include "power/thermal_network.hpp"

#include <cmath>

#include <gtest/gtest.h>
#include <boost/random/uniform_real_distribution.hpp>

#include "base/random.hpp"

namespace oblea {
namespace {

constexpr std::uint64_t kSeed = 20261201;

ThermalNode room(double temperature_c) { return {"room", 0, 0, true, temperature_c}; }

std::vector<double> starts(const ThermalNetwork& network) {
  std::vector<double> start;
  for (const ThermalNode& node : network.nodes) start.push_back(node.temperature_c);
  return start;
}

// 350 W over 10 W/K: 35 K above 22; over 20 W/K: 17.5 K more.
TEST(ThermalNetwork, SteadyByHand) {
  const ThermalNetwork network{{{"die", 50, 350, false, 0}, {"sink", 400, 0, false, 0}, room(22)},
                               {{0, 1, 20}, {1, 2, 10}}};
  const std::vector<double> steady = steady_temperatures(network);
  EXPECT_NEAR(steady[0], 74.5, 1e-9);
  EXPECT_NEAR(steady[1], 57, 1e-9);
  EXPECT_EQ(steady[2], 22);
}

TEST(ThermalNetwork, StepResponseIsAnExponential) {
  const ThermalNetwork network{{{"part", 100, 50, false, 20}, room(20)}, {{0, 1, 10}}};
  for (const double t : {0.0, 1e-6, 0.1, 1.0, 10.0, 100.0, 1e6}) {
    const ThermalStep step = advance(network, starts(network), t);
    EXPECT_NEAR(step.temperature_c[0], 20 + 5 * -std::expm1(-t / 10), 1e-9) << t;
    EXPECT_NEAR(step.heat_taken_j[1], 50 * t - 100 * (step.temperature_c[0] - 20), 1e-9 * (1 + 50 * t)) << t;
  }
  EXPECT_NEAR(advance(network, starts(network), 10).heat_taken_j[1], 183.9397, 1e-3);
}

// A plate without capacity between two parts is a conductance of 1 / (1/4 + 1/6) = 2.4 W/K.
TEST(ThermalNetwork, ANodeWithoutCapacityIsAJoint) {
  const ThermalNetwork with{{{"part", 100, 30, false, 40}, {"plate", 0, 0, false, 0}, room(20)},
                            {{0, 1, 4}, {1, 2, 6}}};
  const ThermalNetwork without{{{"part", 100, 30, false, 40}, room(20)}, {{0, 1, 2.4}}};
  const ThermalStep a = advance(with, starts(with), 25);
  const ThermalStep b = advance(without, starts(without), 25);
  EXPECT_NEAR(a.temperature_c[0], b.temperature_c[0], 1e-9);
  EXPECT_NEAR(a.temperature_c[1], (4 * a.temperature_c[0] + 6 * 20) / 10, 1e-9);
  EXPECT_NEAR(a.heat_taken_j[2], b.heat_taken_j[1], 1e-9);
}

ThermalNetwork random_network(RandomStream& random) {
  const auto real = [&](double low, double high) {
    return boost::random::uniform_real_distribution<double>(low, high)(random);
  };
  ThermalNetwork network;
  const int parts = 1 + static_cast<int>(random() % 8);
  network.nodes.push_back(room(real(10, 35)));
  if (random() % 2 == 0) network.nodes.push_back(room(real(-5, 20)));
  const int rooms = static_cast<int>(network.nodes.size());
  for (int i = 0; i < parts; ++i) {
    const double capacity = random() % 4 == 0 ? 0 : real(5, 5000);
    const int node = static_cast<int>(network.nodes.size());
    network.nodes.push_back({"part", capacity, real(0, 400), false, real(10, 90)});
    network.links.push_back({static_cast<int>(random() % static_cast<unsigned>(node)), node, real(0.5, 30)});
    if (random() % 2 == 0)
      network.links.push_back({node, static_cast<int>(random() % static_cast<unsigned>(rooms)), real(0.1, 5)});
  }
  return network;
}

TEST(ThermalNetwork, HeatIsConservedStepsJoinAndTheEndIsSteady) {
  RandomStream random = make_random_stream(kSeed, "thermal networks");
  for (int trial = 0; trial < 300; ++trial) {
    const ThermalNetwork network = random_network(random);
    ASSERT_TRUE(check_network(network)) << "seed " << kSeed << ", trial " << trial;
    const double seconds = boost::random::uniform_real_distribution<double>(0.01, 2000)(random);
    const ThermalStep step = advance(network, starts(network), seconds);
    double made = 0, stored = 0, taken = 0, moved = 1;
    for (std::size_t i = 0; i < network.nodes.size(); ++i) {
      const ThermalNode& node = network.nodes[i];
      made += node.heat_w * seconds;
      stored += node.heat_capacity_j_per_k * (step.temperature_c[i] - node.temperature_c);
      taken += step.heat_taken_j[i];
      moved += std::abs(step.heat_taken_j[i]) + node.heat_capacity_j_per_k * 100;
    }
    EXPECT_NEAR(made, stored + taken, 1e-9 * (moved + made)) << "seed " << kSeed << ", trial " << trial;
    // Two steps are one: results do not depend on the interval.
    const ThermalStep half = advance(network, starts(network), 0.3 * seconds);
    const ThermalStep rest = advance(network, half.temperature_c, 0.7 * seconds);
    const std::vector<double> steady = steady_temperatures(network);
    const ThermalStep late = advance(network, starts(network), 1e9);
    for (std::size_t i = 0; i < network.nodes.size(); ++i) {
      EXPECT_NEAR(rest.temperature_c[i], step.temperature_c[i], 1e-8) << "seed " << kSeed << ", trial " << trial;
      EXPECT_NEAR(late.temperature_c[i], steady[i], 1e-7) << "seed " << kSeed << ", trial " << trial;
    }
  }
}

TEST(ThermalNetwork, WhatCannotBeIsAFault) {
  EXPECT_FALSE(check_network({}));
  EXPECT_FALSE(check_network({{{"alone", 10, 5, false, 20}, room(20)}, {}}));
  EXPECT_FALSE(check_network({{{"part", 10, 5, false, 20}, room(20)}, {{0, 2, 1}}}));
  EXPECT_FALSE(check_network({{{"part", 10, 5, false, 20}, room(20)}, {{0, 1, -1}}}));
  EXPECT_FALSE(check_network({{{"part", std::nan(""), 5, false, 20}, room(20)}, {{0, 1, 1}}}));
}

}  // namespace
}  // namespace oblea
