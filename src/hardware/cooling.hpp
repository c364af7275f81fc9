// Cooling: coolers, radiators, pumps and fluids, as steady thermal resistances.
#pragma once

#include <string>
#include <vector>

#include "hardware/sourced.hpp"
#include "units/quantity.hpp"

namespace oblea {

enum class CoolingKind { air_cooler, water_block, radiator, pump, immersion_sink };

// A radiator's conductance at a fan speed.
struct ConductancePoint {
  double fan_rpm = 0;
  WattsPerKelvin conductance{};
};

struct CoolingPart {
  std::string id;
  std::string name;
  CoolingKind kind = CoolingKind::air_cooler;
  Optional<KelvinsPerWatt> resistance;                  // die to coolant (coolers, blocks, sinks)
  Optional<std::vector<ConductancePoint>> conductance;  // coolant to room air (radiators, with water)
  Optional<double> oil_derating;                        // of the conductance when oil flows instead of water
  Optional<Watts> power;                                // pump or fans
  Optional<double> flow_litres_per_hour;
  Optional<Celsius> temperature_max;
};

// Properties at one temperature.
struct FluidPoint {
  double temperature_c = 0;
  double density_kg_m3 = 0;
  double specific_heat_j_kgk = 0;
  double conductivity_w_mk = 0;
  double viscosity_mpas = 0;  // dynamic
};

struct Fluid {
  std::string id;
  std::string name;
  Sourced<std::vector<FluidPoint>> properties;  // sorted by temperature
  Optional<double> expansion_per_kelvin;
  Optional<Celsius> flash_point;
  Optional<std::string> discontinued;  // why it can no longer be bought
};

}  // namespace oblea
