#include "power/excursion.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <vector>

#include "base/check.hpp"

namespace oblea {
namespace {

constexpr double kPeakShareOfTime = 0.05;
constexpr double kPeakQuantile = 0.999;
constexpr double kBoardSpread = 0.1;

// By span, in the order of ExcursionSpan.
constexpr std::array<Banded<double>, 3> kGddr = {{{1.47, 1.37, 1.57}, {1.36, 1.28, 1.43}, {1.09, 1.05, 1.15}}};
constexpr std::array<Banded<double>, 3> kHbm = {{{1.30, 1.10, 1.60}, {1.20, 1.05, 1.45}, {1.05, 1.00, 1.15}}};  // (e)
constexpr std::array<Banded<double>, 3> kOwnSupply = {{{1, 1, 1}, {1, 1, 1}, {1, 1, 1}}};

const std::array<Banded<double>, 3>& factors(PowerClass power_class) {
  if (power_class == PowerClass::gddr) return kGddr;
  return power_class == PowerClass::hbm ? kHbm : kOwnSupply;
}

// The excess over 1 of the span's factor, scaled as the measured peak's is to the class's.
Banded<double> device_factor(const Device& device, ExcursionSpan span) {
  const Banded<double> usual = excursion_factor(power_class(device), span);
  if (!device.transient_peak) return usual;
  const double peak = std::max(1.0, device.transient_peak->value / device.tdp.value);
  const double excess = excursion_factor(power_class(device), ExcursionSpan::below_1ms).value - 1;
  if (span == ExcursionSpan::below_1ms || !(excess > 0)) {
    return {peak, std::max(1.0, peak * (1 - kBoardSpread)), peak * (1 + kBoardSpread)};
  }
  const double scale = (peak - 1) / excess;
  return {1 + (usual.value - 1) * scale, 1 + (usual.low - 1) * scale, 1 + (usual.high - 1) * scale};
}

// What a cap leaves of a peak: the likeliest share, and its range.
Banded<double> left_by_cap(ExcursionSpan span, double cap) {
  const double half = (1 + cap) / 2;
  if (span == ExcursionSpan::below_1ms) return {1, 1, 1};
  return span == ExcursionSpan::to_10ms ? Banded<double>{half, cap, 1} : Banded<double>{cap, cap, half};
}

}  // namespace

Seconds longest(ExcursionSpan span) {
  if (span == ExcursionSpan::below_1ms) return Seconds(0.001);
  return span == ExcursionSpan::to_10ms ? Seconds(0.010) : Seconds(0.020);
}

Banded<double> excursion_factor(PowerClass power_class, ExcursionSpan span) {
  return factors(power_class)[static_cast<std::size_t>(span)];
}

Banded<Watts> excursion_watts(const Device& device, ExcursionSpan span, const PowerControl& control) {
  const Watts tdp = device.tdp.value;
  const Banded<double> factor = device_factor(device, span);
  Banded<Watts> watts{tdp * factor.value, tdp * factor.low, tdp * factor.high};
  if (control.clock_lock) {
    watts = {watts_at_lock(device, watts.value, *control.clock_lock).value,
             watts_at_lock(device, watts.low, *control.clock_lock).low,
             watts_at_lock(device, watts.high, *control.clock_lock).high};
  }
  if (!control.cap) return watts;
  // Against what the card would draw on average without the cap, so that a cap above it changes nothing.
  const Watts average = sustained_watts(device, {{}, control.clock_lock});
  const Banded<double> left = left_by_cap(span, std::min(1.0, *control.cap / average));
  return {watts.value * left.value, watts.low * left.low, watts.high * left.high};
}

Banded<double> alignment(const SharedWork& work) {
  if (work.split == WorkSplit::independent) return {0.02, 0, 0.1};
  if (work.split == WorkSplit::layers) return {0.05, 0, 0.2};
  return work.drafting ? Banded<double>{0.95, 0.7, 1} : Banded<double>{0.8, 0.5, 1};
}

int peaking_together(int cards) {
  OBLEA_CHECK(cards >= 0, "a count of cards");
  double exactly = std::pow(1 - kPeakShareOfTime, cards);
  double at_most = exactly;
  int together = 0;
  while (together < cards && at_most < kPeakQuantile) {
    ++together;
    exactly *= (cards - together + 1.0) / together * kPeakShareOfTime / (1 - kPeakShareOfTime);
    at_most += exactly;
  }
  return together;
}

Watts aligned_peak(std::span<const CardPeak> cards) {
  Watts sum{};
  for (const CardPeak& card : cards) sum += std::max(card.peak, card.average);
  return sum;
}

Watts independent_peak(std::span<const CardPeak> cards) {
  Watts sum{};
  std::vector<Watts> excess;
  for (const CardPeak& card : cards) {
    sum += card.average;
    excess.push_back(std::max(Watts(0), card.peak - card.average));
  }
  std::sort(excess.begin(), excess.end(), std::greater<>());
  for (int i = 0; i < peaking_together(static_cast<int>(cards.size())); ++i) sum += excess[i];
  return sum;
}

}  // namespace oblea
