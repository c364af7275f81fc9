#include "power/supply_trip.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "base/check.hpp"
#include "power/interpolate.hpp"
#include "power/psu.hpp"

namespace oblea {
namespace {

constexpr double kAtx3From = 1.8;  // excursion factor
constexpr double kWorthNaming = 0.01;
constexpr int kQuantiles = 50;
constexpr Seconds kSustained{10};
constexpr Watts kCapStep{5};
constexpr Hertz kLockStep{15e6};
constexpr double kLowestCap = 0.3;   // of the TDP
constexpr double kLowestLock = 0.5;  // of the top clock

struct TripPoint {
  double log_seconds;  // base 10
  double share;
  double low;
  double high;
};

constexpr std::array<TripPoint, 6> kAtx2 = {{{-4, 1.25, 1.10, 1.60},
                                             {-3, 1.25, 1.10, 1.60},
                                             {-2, 1.25, 1.10, 1.60},
                                             {-1, 1.20, 1.10, 1.50},
                                             {0, 1.20, 1.05, 1.40},
                                             {1, 1.15, 1.00, 1.30}}};
constexpr std::array<TripPoint, 6> kAtx3 = {{{-4, 2.20, 2.00, 2.50},
                                             {-3, 1.95, 1.80, 2.20},
                                             {-2, 1.70, 1.60, 1.95},
                                             {-1, 1.30, 1.20, 1.55},
                                             {0, 1.20, 1.10, 1.40},
                                             {1, 1.15, 1.00, 1.30}}};
constexpr std::array<TripPoint, 6> kServer = {{{-4, 1.30, 1.15, 1.50},
                                               {-3, 1.30, 1.15, 1.50},
                                               {-2, 1.30, 1.15, 1.50},
                                               {-1, 1.20, 1.10, 1.40},
                                               {0, 1.15, 1.05, 1.25},
                                               {1, 1.08, 1.00, 1.15}}};

const std::array<TripPoint, 6>& curve_of(SupplyGeneration generation) {
  if (generation == SupplyGeneration::atx2) return kAtx2;
  return generation == SupplyGeneration::atx3 ? kAtx3 : kServer;
}

// Probability that a triangular variable is below x.
double below(const Banded<double>& band, double x) {
  if (x <= band.low) return 0;
  if (x >= band.high) return 1;
  const double width = band.high - band.low;
  if (x <= band.value) return (x - band.low) * (x - band.low) / (width * (band.value - band.low));
  return 1 - (band.high - x) * (band.high - x) / (width * (band.high - band.value));
}

// The value below which a triangular variable lies with this probability.
double quantile(const Banded<double>& band, double probability) {
  const double width = band.high - band.low;
  if (!(width > 0)) return band.value;
  const double rise = (band.value - band.low) / width;
  if (probability <= rise) return band.low + std::sqrt(probability * width * (band.value - band.low));
  return band.high - std::sqrt((1 - probability) * width * (band.high - band.value));
}

double exceeds(const Banded<double>& demand, const Banded<double>& limit) {
  if (demand.high <= limit.low) return 0;
  if (demand.low >= limit.high) return 1;
  if (!(demand.high > demand.low)) return below(limit, demand.value);
  double sum = 0;
  for (int i = 0; i < kQuantiles; ++i) sum += below(limit, quantile(demand, (i + 0.5) / kQuantiles));
  return sum / kQuantiles;
}

// Peaks of the cards in one span, by the likeliest figure and the ends of its band.
struct SpanPeaks {
  std::array<std::array<CardPeak, kMaxCardsPerBox>, 3> by_end;
  std::size_t cards = 0;
};

SpanPeaks peaks_of(const SuppliedCards& supplied, ExcursionSpan span) {
  SpanPeaks peaks;
  const Device* before = nullptr;  // cards are mostly alike
  Banded<Watts> watts;
  Watts average{};
  for (const Device* card : supplied.cards) {
    if (card != before) {
      watts = excursion_watts(*card, span, supplied.control);
      average = sustained_watts(*card, supplied.control);
      before = card;
    }
    peaks.by_end[0][peaks.cards] = {average, watts.value};
    peaks.by_end[1][peaks.cards] = {average, watts.low};
    peaks.by_end[2][peaks.cards] = {average, watts.high};
    ++peaks.cards;
  }
  return peaks;
}

using PeakSum = Watts (*)(std::span<const CardPeak>);

// Demand / rating, the peaks added up by `sum`.
Banded<double> demand(const SuppliedCards& supplied, const SpanPeaks& peaks, PeakSum sum) {
  const auto share = [&](std::size_t end) {
    return (sum(std::span(peaks.by_end[end]).first(peaks.cards)) + supplied.host) / supplied.rated;
  };
  return {share(0), share(1), share(2)};
}

TripLimit limit_of(ExcursionSpan span) {
  if (span == ExcursionSpan::below_1ms) return TripLimit::below_1ms;
  return span == ExcursionSpan::to_10ms ? TripLimit::to_10ms : TripLimit::to_20ms;
}

double mix(double share, double aligned, double independent) { return share * aligned + (1 - share) * independent; }

}  // namespace

SupplyGeneration generation_of(const Psu& psu) {
  if (!psu.powers_board) return SupplyGeneration::server;
  return psu.excursion_factor.value < kAtx3From ? SupplyGeneration::atx2 : SupplyGeneration::atx3;
}

Banded<double> trip_share(SupplyGeneration generation, Seconds duration) {
  OBLEA_CHECK(duration > Seconds(0), "a load lasts for some time");
  const std::span<const TripPoint> curve = curve_of(generation);
  const double at = std::log10(duration.value());
  return {interpolate(curve, at, &TripPoint::log_seconds, &TripPoint::share),
          interpolate(curve, at, &TripPoint::log_seconds, &TripPoint::low),
          interpolate(curve, at, &TripPoint::log_seconds, &TripPoint::high)};
}

TripAssessment assess_trip(const SuppliedCards& supplied) {
  OBLEA_CHECK(supplied.rated > Watts(0), "a supply has a rating");
  OBLEA_CHECK(supplied.cards.size() <= kMaxCardsPerBox, "at most 64 cards on one supply");
  TripAssessment result;
  Watts sustained = supplied.host;
  for (const Device* card : supplied.cards) sustained += sustained_watts(*card, supplied.control);
  result.load = sustained / supplied.rated;
  const double steady = exceeds({result.load, result.load, result.load}, trip_share(supplied.generation, kSustained));
  result.probability = {steady, steady, steady};
  result.limit = steady >= kWorthNaming ? TripLimit::sustained : TripLimit::none;

  const Banded<double> meet = alignment(supplied.work);
  for (const ExcursionSpan span : kExcursionSpans) {
    const SpanPeaks peaks = peaks_of(supplied, span);
    const Banded<double> together = demand(supplied, peaks, aligned_peak);
    if (span == ExcursionSpan::below_1ms) result.peak_load = together.value;
    if (steady >= 1) break;  // no peak can be likelier
    const Banded<double> limit = trip_share(supplied.generation, longest(span));
    const double aligned = exceeds(together, limit);
    // Fewer peaks at once trip no more than all of them do.
    const double independent = aligned > 0 ? exceeds(demand(supplied, peaks, independent_peak), limit) : 0;
    const double likely = mix(meet.value, aligned, independent);
    if (likely >= kWorthNaming && likely > result.probability.value) result.limit = limit_of(span);
    result.probability = {std::max(result.probability.value, likely),
                          std::max(result.probability.low, mix(meet.low, aligned, independent)),
                          std::max(result.probability.high, mix(meet.high, aligned, independent))};
  }
  if (result.probability.value >= kTripsFrom) {
    result.verdict = TripVerdict::trips;
  } else if (result.probability.value >= kTightFrom || result.load > kComfortableLoad) {
    result.verdict = TripVerdict::tight;
  }
  return result;
}

TripCure find_cure(const SuppliedCards& supplied) {
  TripCure cure;
  if (supplied.cards.empty() || assess_trip(supplied).verdict == TripVerdict::fine) return cure;
  Watts tdp{};
  Hertz top{};
  for (const Device* card : supplied.cards) {
    tdp = std::max(tdp, card->tdp.value);
    if (card->boost_clock) top = std::max(top, top_clock(card->boost_clock->value));
  }
  SuppliedCards tried = supplied;
  for (Watts cap = std::min(tdp, supplied.control.cap.value_or(tdp)); cap >= tdp * kLowestCap; cap -= kCapStep) {
    tried.control.cap = cap;
    if (assess_trip(tried).verdict != TripVerdict::fine) continue;
    cure.cap = cap;
    break;
  }
  tried.control = supplied.control;
  for (Hertz lock = kLockStep * std::floor(top / kLockStep); top > Hertz(0) && lock >= top * kLowestLock;
       lock -= kLockStep) {
    tried.control.clock_lock = lock;
    if (assess_trip(tried).verdict != TripVerdict::fine) continue;
    cure.clock_lock = lock;
    break;
  }
  return cure;
}

}  // namespace oblea
