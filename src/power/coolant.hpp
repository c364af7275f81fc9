// Coolant: steady temperatures of a liquid loop or an immersion tank, in closed form.
#pragma once

#include <vector>

#include "hardware/cooling.hpp"
#include "units/quantity.hpp"

namespace oblea {

// Die = coolant + P x R. Example: 350 W through 0.09 K/W (a fanless air cooler in oil) above oil at 40 degC: 71.5 degC.
Celsius steady_die_temperature(Celsius coolant, Watts watts, KelvinsPerWatt resistance);

// Radiator's W/K at a fan speed: between its points linear, above the last one clamped, below the first in proportion
// to the speed, and a tenth of the first with the fans stopped (an estimate). Example: 55 W/K at 600 rpm, 95 at
// 1,000: 75 at 800, 27.5 at 300, 5.5 at 0.
WattsPerKelvin radiator_conductance(const std::vector<ConductancePoint>& points, double fan_rpm);

// Coolant = room + P / (W/K x derating); derating 1 for water, the radiator's `oil_derating` for oil.
// Example: 1,600 W over 95 W/K x 0.6 = 57 W/K: 28.1 K above the room; over 95 W/K (water): 16.8 K.
Celsius steady_coolant_temperature(Celsius room, Watts total, WattsPerKelvin conductance, double derating = 1);

// W/K that holds the coolant at a temperature. Example: 1,600 W, oil at 40 degC in a room of 25 degC: 107 W/K (in
// that fluid). Infinite where the coolant should be no warmer than the room: no radiator does that.
WattsPerKelvin conductance_wanted(Watts total, Celsius room, Celsius coolant);

// The fluid's properties at a temperature: linear between points, viscosity in its logarithm, clamped at the ends.
// Example: mineral oil of 34.6 mPa s at 40 degC and 22.8 at 50 degC has 28.1 at 45 degC.
FluidPoint fluid_at(const Fluid& fluid, Celsius temperature);

// Flow in litres an hour for a rise: P / (rho cp dT).
// Example: 1,600 W, 10 K, oil of 861 kg/m3 and 1,912 J/kgK: 0.0972 l/s = 5.8 l/min = 350 l/h.
double flow_wanted_litres_per_hour(Watts total, Kelvins rise, const FluidPoint& fluid);

// How long a tank without a radiator takes for a rise when nothing leaves it: m cp dT / P. Heat kept by metal is left
// out.
// Example: 50 l of 850 kg/m3 and 1,900 J/kgK at 1,400 W: 57.7 s a kelvin; 40 K in 38 min.
Seconds tank_warming_time(double litres, const FluidPoint& fluid, Kelvins rise, Watts total);

// Litres by which a tank's fluid grows. Example: 50 l, 7.5e-4 per kelvin, 30 K: 1.1 l. Leave that gap.
double expansion_litres(double litres, double expansion_per_kelvin, Kelvins rise);

// Watts that a bare die sheds into oil: h A dT, natural convection at h = 100 to 300 W/m2K.
// Example: 628 mm2 at 50 K: 3.1 W at h = 100 and 9.4 W at 300. A card of 350 W needs its heatsink in oil as well.
Watts bare_die_watts(double area_mm2, double film_w_m2k, Kelvins rise);

}  // namespace oblea
