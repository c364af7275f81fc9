#include "power/coolant.hpp"

#include <cmath>

#include <gtest/gtest.h>

namespace oblea {
namespace {

constexpr FluidPoint kOilAt20{20, 861, 1912, 0.134, 98.1};

TEST(Coolant, TheDieIsWarmerThanTheOilByWattsTimesResistance) {
  EXPECT_DOUBLE_EQ(steady_die_temperature(Celsius(40), Watts(350), KelvinsPerWatt(0.09)).value(), 71.5);
}

TEST(Coolant, ARadiatorFollowsItsFans) {
  const std::vector<ConductancePoint> points = {
      {600, WattsPerKelvin(55)}, {1000, WattsPerKelvin(95)}, {1500, WattsPerKelvin(130)}};
  EXPECT_DOUBLE_EQ(radiator_conductance(points, 800).value(), 75);
  EXPECT_DOUBLE_EQ(radiator_conductance(points, 300).value(), 27.5);
  EXPECT_DOUBLE_EQ(radiator_conductance(points, 0).value(), 5.5);
  EXPECT_DOUBLE_EQ(radiator_conductance(points, 3000).value(), 130);
}

TEST(Coolant, SixteenHundredWattsWarmOilBy28AndWaterBy17Kelvin) {
  EXPECT_NEAR(steady_coolant_temperature(Celsius(25), Watts(1600), WattsPerKelvin(95), 0.6).value(), 25 + 28.1, 0.05);
  EXPECT_NEAR(steady_coolant_temperature(Celsius(25), Watts(1600), WattsPerKelvin(95)).value(), 25 + 16.8, 0.05);
}

TEST(Coolant, OilAt40DegreesWants107WattsAKelvin) {
  EXPECT_NEAR(conductance_wanted(Watts(1600), Celsius(25), Celsius(40)).value(), 106.7, 0.05);
  EXPECT_TRUE(std::isinf(conductance_wanted(Watts(1600), Celsius(40), Celsius(40)).value()));
}

TEST(Coolant, AFlowOf350LitresAnHourRisesByTenKelvin) {
  // 1,600 / (0.861 kg/l x 1,912 J/kgK x 10 K) = 0.0972 l/s
  EXPECT_NEAR(flow_wanted_litres_per_hour(Watts(1600), Kelvins(10), kOilAt20), 350, 0.5);
}

TEST(Coolant, ViscosityIsInterpolatedInItsLogarithm) {
  Fluid oil;
  oil.properties.value = {{40, 848.4, 1959, 0.133, 34.6}, {50, 841.9, 1995, 0.1322, 22.79}};
  EXPECT_NEAR(fluid_at(oil, Celsius(45)).viscosity_mpas, 28.08, 0.01);  // sqrt(34.6 x 22.79)
  EXPECT_NEAR(fluid_at(oil, Celsius(45)).density_kg_m3, 845.15, 1e-9);
  EXPECT_EQ(fluid_at(oil, Celsius(10)).viscosity_mpas, 34.6);
  EXPECT_EQ(fluid_at(oil, Celsius(90)).viscosity_mpas, 22.79);
}

TEST(Coolant, FiftyLitresWarmBy40KelvinIn38Minutes) {
  const FluidPoint oil{40, 850, 1900, 0.133, 34.6};
  EXPECT_NEAR(tank_warming_time(50, oil, Kelvins(1), Watts(1400)).value(), 57.7, 0.05);
  EXPECT_NEAR(tank_warming_time(50, oil, Kelvins(40), Watts(1400)).value() / 60, 38.5, 0.1);
}

TEST(Coolant, ATankOfFiftyLitresGrowsByMoreThanOne) {
  EXPECT_NEAR(expansion_litres(50, 7.5e-4, Kelvins(30)), 1.125, 1e-12);
}

TEST(Coolant, ABareDieShedsThreeToNineWattsIntoOil) {
  EXPECT_NEAR(bare_die_watts(628, 100, Kelvins(50)).value(), 3.14, 1e-9);
  EXPECT_NEAR(bare_die_watts(628, 300, Kelvins(50)).value(), 9.42, 1e-9);
}

}  // namespace
}  // namespace oblea
