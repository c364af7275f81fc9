// Excursion: how far above its average a device draws for less than 20 ms, and how such peaks of several cards add.
#pragma once

#include <array>
#include <span>

#include "power/power_control.hpp"

namespace oblea {

enum class ExcursionSpan { below_1ms, to_10ms, to_20ms };
inline constexpr std::array kExcursionSpans = {ExcursionSpan::below_1ms, ExcursionSpan::to_10ms,
                                               ExcursionSpan::to_20ms};

// The longest that an excursion of the span lasts: 1, 10, 20 ms.
Seconds longest(ExcursionSpan span);

// Peak over TDP. gddr: RTX 5090, 901 / 824 to 738 / 628 W at 575 W (Igor's Lab through slashgear.com, 2025-07), and RTX
// 3090, 480 W at 350 W below 1 ms; n = 2. hbm: estimate, no row. Boxes with a supply of their own: 1, which their maker
// answers for.
// Example: gddr below 1 ms 1.47 (1.37 to 1.57), to 10 ms 1.36 (1.28 to 1.43), to 20 ms 1.09 (1.05 to 1.15).
Banded<double> excursion_factor(PowerClass power_class, ExcursionSpan span);

// Peak watts of a device under a cap and a lock. A measured peak below 1 ms (10 % either way between boards) replaces
// the factor, and scales the excess of the longer spans. A clock lock lowers every peak (watts_at_lock). A cap holds an
// average over tens of milliseconds: below 1 ms nothing falls, to 20 ms all falls with cap / TDP, to 10 ms half of
// that. Example: an RTX 3090 capped at 280 W: 480 W below 1 ms, 1.283 x 350 x 0.9 = 404 W to 10 ms, 1.071 x 280 = 300 W
// to 20 ms; locked at 1,550 MHz 309 W below 1 ms.
Banded<Watts> excursion_watts(const Device& device, ExcursionSpan span, const PowerControl& control);

enum class WorkSplit {
  independent,  // each card its own requests
  layers,       // in turns
  tensor        // all in step
};

// What the cards of a box do together.
struct SharedWork {
  WorkSplit split = WorkSplit::tensor;
  bool drafting = false;  // a draft's passes between
};

// Probability that the peaks of all cards meet within a run. Estimates: tensor parallel 0.8 (0.5 to 1.0), with a
// draft's passes between 0.95 (0.7 to 1.0); layers 0.05 (0 to 0.2); independent 0.02 (0 to 0.1). Evidence: three RTX
// 3090 that crash when they compile together and not one after the other (hbfreed.com, 2026-03), two in tensor parallel
// with four guesses (club-3090 issue 1019).
Banded<double> alignment(const SharedWork& work);

// How many of n independent cards peak at one instant: the 0.999 quantile of a binomial of 0.05, the share of time that
// ATX 3 tests with (0.1 ms in 2 ms). Example: 1 of 1, 2 of 4, 3 of 8.
int peaking_together(int cards);

struct CardPeak {
  Watts average{};
  Watts peak{};
};

// Every peak at once. Example: four cards of 350 and 480 W: 1,920 W.
Watts aligned_peak(std::span<const CardPeak> cards);
// Only as many as peaking_together says, those with the most above their average (an upper bound where cards differ).
// Example: four cards of 350 and 480 W: 2 x 480 + 2 x 350 = 1,660 W.
Watts independent_peak(std::span<const CardPeak> cards);

}  // namespace oblea
