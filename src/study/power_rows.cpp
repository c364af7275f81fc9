#include "study/power_rows.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace oblea {
namespace {

constexpr double kPeakSpread = 0.03;  // boards stay within a few per cent of their limit; a supply's class is a floor

bool tells_breaker(const MachinePower& power) {
  return power.mains.breaker_asked || power.breaker.verdict != BreakerVerdict::holds;
}

template <class V>
void add_verdict(std::vector<Verdict>& verdicts, V verdict, const std::array<const char*, 3>& names,
                 std::string words) {
  constexpr Answer kAnswers[] = {Answer::yes, Answer::tight, Answer::no};
  const auto index = static_cast<std::size_t>(verdict);
  verdicts.push_back({names[index], kAnswers[index], std::move(words)});
}

Verdict supply_verdict(const Box& box, const SupplyAssessment& supply, const SharedWork& work) {
  const char* names[] = {"supply", "supply-tight", "supply-trips", "supply-connectors", "supply-overloaded"};
  const Answer answer = supply.verdict == SupplyVerdict::fine    ? Answer::yes
                        : supply.verdict == SupplyVerdict::tight ? Answer::tight
                                                                 : Answer::no;
  return {names[static_cast<int>(supply.verdict)], answer, supply_words(box, supply, work)};
}

void add_band(std::vector<Metric>& metrics, const char* name, const Banded<Watts>& watts, Origin origin) {
  metrics.push_back(make_metric(name, watts.value.value(), "W", watts.low.value(), watts.high.value(), origin));
}

}  // namespace

void add_power_metrics(std::vector<Metric>& metrics, const MachinePower& power) {
  add_band(metrics, "wall_idle_w", power.wall_idle, Origin::estimate);
  add_band(metrics, "wall_decode_w", power.wall_decode, Origin::measured_elsewhere);
  add_band(metrics, "wall_prefill_w", power.wall_prefill, Origin::measured_elsewhere);
  const double peak = power.wall_peak.value();
  metrics.push_back(
      make_metric("wall_peak_w", peak, "W", peak * (1 - kPeakSpread), peak * (1 + kPeakSpread), Origin::datasheet));
  add_supply_metrics(metrics, power);
}

void add_supply_metrics(std::vector<Metric>& metrics, const MachinePower& power) {
  if (!power.supplies.empty()) {
    const SupplyAssessment& worst = *std::max_element(power.supplies.begin(), power.supplies.end(), is_better);
    const double load = 100 * worst.trip.load;
    metrics.push_back(make_metric("supply_load_percent", load, "%", load * (1 - kPeakSpread), load * (1 + kPeakSpread),
                                  Origin::datasheet));
    const Banded<double>& trip = worst.trip.probability;
    metrics.push_back(
        make_metric("supply_trip_percent", 100 * trip.value, "%", 100 * trip.low, 100 * trip.high, Origin::estimate));
  }
  const double load = power.circuit.load.value();  // with pump and fans of a loop, and other loads
  const double spread = kPeakSpread * (load - power.mains.others.value());
  metrics.push_back(make_metric("circuit_load_w", load, "W", load - spread, load + spread, Origin::datasheet));
  metrics.push_back(exact_metric("circuit_limit_w", power.circuit.limit.value(), "W"));
  if (tells_breaker(power)) {
    const Banded<double>& share = power.breaker.load;
    metrics.push_back(make_metric("breaker_load_percent", 100 * share.value, "%", 100 * share.low, 100 * share.high,
                                  Origin::estimate));
    const Banded<Seconds>& opens = power.breaker.opens_after;
    if (std::isfinite(opens.high.value())) {
      metrics.push_back(make_metric("breaker_opens_after_s", opens.value.value(), "s", opens.low.value(),
                                    opens.high.value(), Origin::estimate));
    }
  }
  if (!power.ups) return;
  const UpsAssessment& ups = *power.ups;
  const double percent = 100 * ups.load_share;
  metrics.push_back(make_metric("ups_load_percent", percent, "%", percent * (1 - kPeakSpread),
                                percent * (1 + kPeakSpread), Origin::datasheet));
  metrics.push_back(make_metric("ups_run_time_s", ups.run_time.value.value(), "s", ups.run_time.low.value(),
                                ups.run_time.high.value(), Origin::estimate));
}

void add_power_verdicts(std::vector<Verdict>& verdicts, const Machine& machine, const MachinePower& power) {
  for (std::size_t i = 0; i < power.supplies.size(); ++i) {
    const Box& box = machine.boxes[static_cast<std::size_t>(power.supply_box[i])];
    verdicts.push_back(supply_verdict(box, power.supplies[i], power.work));
  }
  add_verdict(verdicts, power.circuit.verdict, {"circuit", "circuit-tight", "circuit-overloaded"},
              circuit_words(power.circuit, power.mains));
  if (tells_breaker(power)) {
    add_verdict(verdicts, power.breaker.verdict, {"breaker", "breaker-tight", "breaker-opens"},
                breaker_words(power.breaker, power.mains));
  }
  if (power.ups) {
    add_verdict(verdicts, power.ups->verdict, {"ups", "ups-tight", "ups-overloaded"},
                ups_words(*power.ups, *power.mains.ups));
  }
}

}  // namespace oblea
