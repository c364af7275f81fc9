#include "study/mains.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/core.h>

#include "base/check.hpp"
#include "units/print.hpp"

namespace oblea {
namespace {

constexpr double kPowerFactor = 0.95;  // supplies with correction reach it

bool is_never(Seconds time) { return std::isinf(time.value()); }

std::string time_words(Seconds time) { return is_never(time) ? "never" : print_time(time); }

std::string_view curve_name(BreakerCurve curve) {
  if (curve == BreakerCurve::b) return "B";
  return curve == BreakerCurve::c ? "C" : "UL 489";
}

std::string others_words(const Mains& mains) {
  return mains.others > Watts(0) ? fmt::format(" with {} of other loads", print_watts(mains.others)) : "";
}

}  // namespace

Mains mains_of(const Site& site, Watts cooling) {
  Mains mains;
  mains.circuit = find_circuit(site.circuit);
  OBLEA_CHECK(mains.circuit != nullptr, "the scenario reader checks circuits");
  mains.breaker = site.breaker.value_or(usual_curve(*mains.circuit));
  mains.others = site.other_loads;
  mains.ups = site.ups;
  mains.cooling = cooling;
  mains.breaker_asked = site.breaker.has_value() || site.other_loads > Watts(0);
  return mains;
}

BreakerAssessment assess_breaker(const Mains& mains, const Banded<Watts>& working) {
  const Watts rating = breaker_watts(*mains.circuit);
  const auto opens = [&](Watts build) {
    return circuit_time_to_trip(*mains.circuit, mains.breaker, build, mains.others);
  };
  BreakerAssessment result;
  result.load = {(working.value + mains.others) / rating, (working.low + mains.others) / rating,
                 (working.high + mains.others) / rating};
  result.opens_after = {opens(working.value).value, opens(working.high).low, opens(working.low).high};
  if (!is_never(result.opens_after.value)) {
    result.verdict = BreakerVerdict::opens;
  } else if (!is_never(result.opens_after.low)) {
    result.verdict = BreakerVerdict::may_open;
  }
  return result;
}

UpsAssessment assess_ups_of(const Ups& ups, Watts peak, const Banded<Watts>& decode) {
  UpsAssessment result;
  result.verdict = assess_ups(ups, peak, kPowerFactor);
  result.load = peak;
  result.load_share = std::max(peak / ups.rated, peak.value() / kPowerFactor / ups.rated_volt_amperes);
  result.run_time = {run_time(ups, decode.value).value, run_time(ups, decode.high).low, run_time(ups, decode.low).high};
  return result;
}

std::string circuit_words(const CircuitAssessment& assessment, const Mains& mains) {
  const Circuit& circuit = *mains.circuit;
  const std::string rule = circuit.continuous_is_rule ? "continuous by rule" : "continuous as good practice";
  return fmt::format("{} at the wall at most{} on {}: {} breaker, {} {}", print_watts(assessment.load),
                     others_words(mains), circuit.name, print_watts(breaker_watts(circuit)),
                     print_watts(continuous_watts(circuit)), rule);
}

std::string breaker_words(const BreakerAssessment& assessment, const Mains& mains) {
  std::string text =
      fmt::format("{:.2f} times its rating ({:.2f} to {:.2f}) while it works{}, curve {}: ", assessment.load.value,
                  assessment.load.low, assessment.load.high, others_words(mains), curve_name(mains.breaker));
  const Banded<Seconds>& opens = assessment.opens_after;
  if (assessment.verdict == BreakerVerdict::holds) return text + "does not open";
  if (assessment.verdict == BreakerVerdict::may_open) {
    return text + fmt::format("need not open; one that is early does after {}", print_time(opens.low));
  }
  return text + fmt::format("opens after {} ({} to {})", print_time(opens.value), print_time(opens.low),
                            time_words(opens.high));
}

std::string ups_words(const UpsAssessment& assessment, const Ups& ups) {
  const Banded<Seconds>& time = assessment.run_time;
  return fmt::format("{} at most, {:.0f} % of its {:.0f} VA / {}; the battery lasts {} of decode ({} to {})",
                     print_watts(assessment.load), 100 * assessment.load_share, ups.rated_volt_amperes,
                     print_watts(ups.rated), print_time(time.value), print_time(time.low), print_time(time.high));
}

}  // namespace oblea
