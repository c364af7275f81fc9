#include "cost/day_profile.hpp"

#include "base/check.hpp"

namespace oblea {
namespace {

constexpr double kRounding = 1e-9;

void check_shares(const PhaseShares& shares) {
  OBLEA_CHECK(shares.idle >= 0 && shares.prefill >= 0 && shares.decode >= 0, "a share of an hour is 0 or more");
  OBLEA_CHECK(shares.idle + shares.prefill + shares.decode <= 1 + kRounding, "an hour holds one hour");
}

}  // namespace

DayPhases spread_evenly(double idle_hours, double prefill_hours, double decode_hours) {
  const PhaseShares hour{idle_hours / kHoursPerDay, prefill_hours / kHoursPerDay, decode_hours / kHoursPerDay};
  check_shares(hour);
  DayPhases day;
  day.fill(hour);
  return day;
}

DayPhases busy_between(int begin_hour, int end_hour, const PhaseShares& busy, const PhaseShares& rest) {
  OBLEA_CHECK(begin_hour >= 0 && begin_hour < kHoursPerDay && end_hour >= 0 && end_hour <= kHoursPerDay,
              "hours of a day are 0 to 24");
  check_shares(busy);
  check_shares(rest);
  DayPhases day;
  for (int hour = 0; hour < kHoursPerDay; ++hour) {
    const bool is_busy =
        begin_hour <= end_hour ? hour >= begin_hour && hour < end_hour : hour >= begin_hour || hour < end_hour;
    day[static_cast<std::size_t>(hour)] = is_busy ? busy : rest;
  }
  return day;
}

DayWatts day_watts(const DayPhases& phases, const PhaseWatts& watts) {
  DayWatts day;
  for (std::size_t hour = 0; hour < day.size(); ++hour) {
    const PhaseShares& shares = phases[hour];
    check_shares(shares);
    day[hour] = watts.idle * shares.idle + watts.prefill * shares.prefill + watts.decode * shares.decode;
  }
  return day;
}

Joules day_energy(const DayWatts& watts) {
  Joules energy;
  for (const Watts hour : watts) energy += hour * kHour;
  return energy;
}

DayTokens day_tokens(const DayPhases& phases, TokensPerSecond prefill, TokensPerSecond decode) {
  DayTokens tokens;
  for (const PhaseShares& shares : phases) {
    check_shares(shares);
    tokens.input += prefill * (kHour * shares.prefill);
    tokens.output += decode * (kHour * shares.decode);
  }
  return tokens;
}

}  // namespace oblea
