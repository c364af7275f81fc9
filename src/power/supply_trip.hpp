// Supply trip: how long a supply carries more than its rating, and whether the peaks of its cards make it trip.
#pragma once

#include <optional>
#include <vector>

#include "hardware/psu.hpp"
#include "power/excursion.hpp"

namespace oblea {

enum class SupplyGeneration { atx2, atx3, server };

// By the profile: no mainboard plugs is server, an excursion factor of 1.8 and more is atx3.
SupplyGeneration generation_of(const Psu& psu);

// The share of the rating at which over-power and over-current protection ends a load that lasts this long; straight in
// the logarithm of time between 0.1, 1, 10, 100 ms, 1 s and 10 s, clamped outside.
// atx3: the low end is the standard's 200 % for 0.1 ms (Intel 336521), 180 % for 1, 160 % for 10, 120 % for 100 ms (its
// other steps, recalled); real units trip later. atx2: no rule; protection is commonly set at 110 to 160 % (estimate).
// server: as atx2, narrower (estimate).
// Example: atx2 at 1 ms 1.25 (1.10 to 1.60), atx3 at 1 ms 1.95 (1.80 to 2.20); both at 10 s from 1.00 on.
Banded<double> trip_share(SupplyGeneration generation, Seconds duration);

// One supply, or one rail of it given as a supply of its own rating, and what hangs on it.
struct SuppliedCards {
  SupplyGeneration generation = SupplyGeneration::atx3;
  Watts rated{};
  Watts host{};  // 0 where the host hangs elsewhere
  std::vector<const Device*> cards;
  PowerControl control;  // the same for every card
  SharedWork work;
};

enum class TripVerdict { fine, tight, trips };
enum class TripLimit { none, sustained, below_1ms, to_10ms, to_20ms };

struct TripAssessment {
  TripVerdict verdict = TripVerdict::fine;
  TripLimit limit = TripLimit::none;  // the likeliest to trip; none below a probability of 0.01
  Banded<double> probability;         // of a trip within a run; its band is that of alignment
  double load = 0;                    // sustained / rating
  double peak_load = 0;               // all peaks below 1 ms at once, with the host / rating
};

inline constexpr double kTripsFrom = 0.5;   // probability
inline constexpr double kTightFrom = 0.05;  // probability

// Each limit trips with the probability that a demand drawn from its band exceeds a protection drawn from its (both
// triangular); peaks meet with the probability of alignment and else are independent. The likeliest limit decides.
// trips from 0.5, tight from 0.05 or a load above 80 %, else fine.
// Example: four RTX 3090 capped at 280 W in tensor parallel with 150 W of host on 1,500 W atx2: load 0.85, peaks 2,070
// W = 1.38; trips (0.57). On atx3: tight, for its load.
TripAssessment assess_trip(const SuppliedCards& supplied);

// The highest cap (steps of 5 W) and the highest clock lock (15 MHz) that each alone make the verdict fine; none where
// no value down to 30 % of the TDP or half of the top clock does. Empty at once for a verdict that is fine.
// Example: the rig above, at a cap of 230 W: no cap; a lock of 1,740 MHz (its owner took 1,550).
struct TripCure {
  std::optional<Watts> cap;
  std::optional<Hertz> clock_lock;
};
TripCure find_cure(const SuppliedCards& supplied);

}  // namespace oblea
