// DayProfile: what a build does in each hour of a day, and the watts that this takes.
#pragma once

#include <array>

#include "units/quantity.hpp"

namespace oblea {

inline constexpr int kHoursPerDay = 24;

// Shares of one hour, from 0 to 1 together; for what is left of the hour the build is off.
struct PhaseShares {
  double idle = 0;
  double prefill = 0;
  double decode = 0;
};

// Hour 0 is midnight to one, local time.
using DayPhases = std::array<PhaseShares, kHoursPerDay>;
using DayWatts = std::array<Watts, kHoursPerDay>;  // mean of the hour

// At the wall, while the build does only that.
struct PhaseWatts {
  Watts idle;
  Watts prefill;
  Watts decode;
};

// The same all day, from hours a day. Example: 16 h idle, 2 h prefill, 6 h decode: every hour is 2/3 idle, 1/12
// prefill, 1/4 decode.
DayPhases spread_evenly(double idle_hours, double prefill_hours, double decode_hours);

// Busy from one hour to another, and `rest` in the others; past midnight where the end is before the begin.
// Example: 22 to 6 is busy in the hours 22, 23 and 0 to 5: 8 hours.
DayPhases busy_between(int begin_hour, int end_hour, const PhaseShares& busy, const PhaseShares& rest);

// Mean watts of each hour. Example: 1/2 decode at 1,400 W, 1/4 prefill at 1,685 W, 1/4 idle at 110 W:
// 700 + 421.25 + 27.5 = 1,148.75 W.
DayWatts day_watts(const DayPhases& phases, const PhaseWatts& watts);

// Example: 1,685 W in 8 hours and 110 W in 16: 13.48 + 1.76 = 15.24 kWh.
Joules day_energy(const DayWatts& watts);

// Tokens of a day, from the rates while in prefill and while in decode.
struct DayTokens {
  Tokens input;
  Tokens output;
};

// Example: 2 h of prefill at 1,000 tok/s and 6 h of decode at 50 tok/s: 7.2 M in, 1.08 M out.
DayTokens day_tokens(const DayPhases& phases, TokensPerSecond prefill, TokensPerSecond decode);

}  // namespace oblea
