// RunPower: what a run draws: watts of each device by what it does over time, of the boxes at the wall, energy.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "engine/engine_plan.hpp"
#include "engine/engine_result.hpp"
#include "report/report.hpp"
#include "study/machine.hpp"
#include "units/banded.hpp"
#include "units/quantity.hpp"

namespace oblea {

// The machine of the only replica; `names` of its devices in the order in which the plan counts them.
struct RunMachine {
  Machine machine;
  std::vector<std::string> names;
};

// Seconds of the run; they add up to its end.
struct DeviceTimes {
  double decode_s = 0;
  double prompt_s = 0;
  double waiting_s = 0;   // a pass is under way, elsewhere or on a wire
  double resident_s = 0;  // nobody asks, or weights are being loaded
};

struct RunPower {
  std::vector<DeviceTimes> times;  // by device
  std::vector<Banded<Watts>> mean;
  Banded<Watts> wall;  // mean over the run: boxes and switch
  Banded<Joules> energy;
};

// Scope: one replica without failures, steady clocks; a card at the limit that its box sets. The supply's efficiency is
// taken at the mean load. Nothing where the plan counts other devices than the machine's cards and SoCs.
// Example: an RTX 3090 that decodes half of the time (315 W) and holds a model the other half (34 W): 174.5 W.
std::optional<RunPower> run_power(const RunMachine& machine, const EnginePlan& plan, const EngineResult& result,
                                  double mains_volts);

Table run_power_table(const RunMachine& machine, const RunPower& power);

}  // namespace oblea
