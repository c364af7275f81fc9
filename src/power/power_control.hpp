// Power control: what an owner sets on a card, a power cap or a clock lock, and what it leaves of watts and speed.
#pragma once

#include <optional>

#include "power/device_power.hpp"

namespace oblea {

struct PowerControl {
  std::optional<Watts> cap;         // holds the average over tens of milliseconds
  std::optional<Hertz> clock_lock;  // holds the clock, so every instant
};

// Top clock of a GPU that nothing holds back: 1.15 x the boost clock of its datasheet. Source: an RTX 3090 (1,695 MHz)
// at 1,950 MHz under a 370 W limit (club-3090 issue 104), n = 1.
// Example: an RTX 3090: 1,949 MHz.
Hertz top_clock(Hertz boost);

// The share of watts that a lock leaves: 0.25 of the TDP (memory, leakage, fans) stays, the rest falls with clock x
// voltage squared, where voltage falls slower than the clock: (lock / top) to the power of 2.5 (2 to 3). Estimates;
// the base is 0.15 to 0.35 in the band. Below half of the top clock the voltage has reached its floor, and the rest
// falls with the clock alone. Without a boost clock in the profile a lock changes nothing.
// Example: 480 W of an RTX 3090 (350 W, 1,949 MHz) at a lock of 1,550 MHz: 87.5 + 392.5 x 0.795^2.5 = 309 W (267 to
// 348).
Banded<Watts> watts_at_lock(const Device& device, Watts unlocked, Hertz lock);

// Watts in a phase under both controls: the locked watts, cut at the cap.
// Example: an RTX 3090 decodes with 315 W, capped at 280 W with 280 W, locked at 1,550 MHz with 216 W: less than a
// cap of 230 W allows, as the owner of such a rig supposed (club-3090 issue 814).
Banded<Watts> device_watts(const Device& device, DevicePhase phase, const PowerControl& control);

// What a card must be granted for seconds: its TDP, or what a lock or a cap leaves of it.
// Example: an RTX 3090 capped at 280 W: 280 W; locked at 1,550 MHz: 235.5 W; both: 235.5 W.
Watts sustained_watts(const Device& device, const PowerControl& control);

// Share of speed that is left. A cap works by lowering the clock, so a lock costs what the cap costs that would bring
// the TDP down to the same watts; measured curves of caps in power_limit.hpp. Drafting (speculative decoding) makes
// decode bound by compute, so it follows the curve of prefill.
// Source of the last: an RTX 5090 from 600 to 400 W loses 4.8 % without a draft and 18.1 % with four guesses
// (qwen38-mtp pull 47); this says 5 % and 18 %. Example: 400 W on a 575 W card: decode 0.946, prefill 0.821.
Banded<double> speed_under(const Device& device, DevicePhase phase, const PowerControl& control, bool drafting = false);

}  // namespace oblea
