#include "power/coolant.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <span>

#include "base/check.hpp"
#include "power/interpolate.hpp"

namespace oblea {
namespace {

constexpr double kLitresPerCubicMetre = 1000;
constexpr double kStillAirShare = 0.1;
constexpr double kSquareMillimetresPerSquareMetre = 1e6;

double joules_per_litre_kelvin(const FluidPoint& fluid) {
  return fluid.density_kg_m3 * fluid.specific_heat_j_kgk / kLitresPerCubicMetre;
}

}  // namespace

Celsius steady_die_temperature(Celsius coolant, Watts watts, KelvinsPerWatt resistance) {
  return coolant + watts * resistance;
}

WattsPerKelvin radiator_conductance(const std::vector<ConductancePoint>& points, double fan_rpm) {
  OBLEA_CHECK(!points.empty(), "a radiator needs a point");
  const ConductancePoint& slowest = points.front();
  if (fan_rpm < slowest.fan_rpm) return slowest.conductance * std::max(fan_rpm / slowest.fan_rpm, kStillAirShare);
  return interpolate(std::span<const ConductancePoint>(points), fan_rpm, &ConductancePoint::fan_rpm,
                     &ConductancePoint::conductance);
}

Celsius steady_coolant_temperature(Celsius room, Watts total, WattsPerKelvin conductance, double derating) {
  OBLEA_CHECK(conductance.value() > 0 && derating > 0, "heat needs a way out");
  return room + total / (conductance * derating);
}

WattsPerKelvin conductance_wanted(Watts total, Celsius room, Celsius coolant) {
  if (!(coolant > room)) return WattsPerKelvin(std::numeric_limits<double>::infinity());
  return total / (coolant - room);
}

FluidPoint fluid_at(const Fluid& fluid, Celsius temperature) {
  const std::span<const FluidPoint> points(fluid.properties.value);
  OBLEA_CHECK(!points.empty(), "a fluid needs a point");
  const double t = temperature.value();
  if (!(t > points.front().temperature_c)) return points.front();
  for (std::size_t i = 1; i < points.size(); ++i) {
    const FluidPoint& a = points[i - 1];
    const FluidPoint& b = points[i];
    if (t > b.temperature_c) continue;
    const double share = (t - a.temperature_c) / (b.temperature_c - a.temperature_c);
    const auto between = [share](double left, double right) { return left + (right - left) * share; };
    return {t, between(a.density_kg_m3, b.density_kg_m3), between(a.specific_heat_j_kgk, b.specific_heat_j_kgk),
            between(a.conductivity_w_mk, b.conductivity_w_mk),
            std::exp(between(std::log(a.viscosity_mpas), std::log(b.viscosity_mpas)))};
  }
  return points.back();
}

double flow_wanted_litres_per_hour(Watts total, Kelvins rise, const FluidPoint& fluid) {
  OBLEA_CHECK(rise.value() > 0, "a flow carries heat by a rise above zero");
  return total.value() / (joules_per_litre_kelvin(fluid) * rise.value()) * kHour.value();
}

Seconds tank_warming_time(double litres, const FluidPoint& fluid, Kelvins rise, Watts total) {
  OBLEA_CHECK(total.value() > 0, "a tank without heat never warms");
  return Seconds(litres * joules_per_litre_kelvin(fluid) * rise.value() / total.value());
}

double expansion_litres(double litres, double expansion_per_kelvin, Kelvins rise) {
  return litres * expansion_per_kelvin * rise.value();
}

Watts bare_die_watts(double area_mm2, double film_w_m2k, Kelvins rise) {
  return Watts(area_mm2 / kSquareMillimetresPerSquareMetre * film_w_m2k * rise.value());
}

}  // namespace oblea
