// Device power: the watts that a device draws in each phase of inference, and what a power limit costs in speed.
#pragma once

#include <optional>

#include "hardware/device.hpp"
#include "units/banded.hpp"
#include "units/quantity.hpp"

namespace oblea {

enum class DevicePhase {
  idle,      // no model loaded
  resident,  // a model loaded, nobody asks
  waiting,   // for another device: spinning in a collective, or clocked up between its turns in a pipeline
  decode,
  prefill
};

enum class PowerClass { gddr, hbm, soc, cpu, wafer };

// By kind, and GPUs by memory type: "HBM..." is hbm, everything else gddr.
PowerClass power_class(const Device& device);

// Share of the TDP in a busy phase (waiting, decode, prefill). Medians and ranges of the rows named in README.md.
Banded<double> power_share(PowerClass power_class, DevicePhase phase);

// Watts of the device in this phase: share x TDP (decode, prefill, waiting), the idle figure (idle), twice it
// (resident), and never more than the power limit: a limit above the demand changes nothing.
// Example: an RTX 3090 (350 W, idle 17 W) decodes at 0.90 x 350 = 315 W (245 to 350), at a limit of 280 W with 280 W
// (245 to 280), rests at 34 W with a model loaded and at 17 W without.
// Measured beside it: 309 W a card in decode whether the limit is 330, 340 or 350 W.
Banded<Watts> device_watts(const Device& device, DevicePhase phase, std::optional<Watts> power_limit = {});

// The most that the device draws for seconds: its TDP or the limit below it. What supplies and circuits must carry.
// Example: an RTX 3090 limited to 280 W: 280 W.
Watts sustained_watts(const Device& device, std::optional<Watts> power_limit = {});

}  // namespace oblea
