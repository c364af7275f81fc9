// Mains: the circuit that a machine hangs on, its breaker over time, what else hangs there, and a UPS before it.
#pragma once

#include <optional>
#include <string>

#include "power/breaker.hpp"
#include "power/circuit.hpp"
#include "power/ups.hpp"
#include "study/scenario.hpp"

namespace oblea {

struct Mains {
  const Circuit* circuit = nullptr;
  BreakerCurve breaker = BreakerCurve::b;
  Watts others{};
  std::optional<Ups> ups;
  Watts cooling{};             // pump and fans of a loop
  bool breaker_asked = false;  // the site names a breaker or other loads

  double volts() const { return circuit->volts; }
};

Mains mains_of(const Site& site, Watts cooling = Watts(0));

enum class BreakerVerdict {
  holds,     // at the high end of the watts it need not open, and may not
  may_open,  // by a breaker at the early end of its tolerance, or at the high end of the watts
  opens
};

struct BreakerAssessment {
  BreakerVerdict verdict = BreakerVerdict::holds;
  Banded<double> load;          // of the rating
  Banded<Seconds> opens_after;  // infinite where it need not open
};

// `working`: the build and its cooling at the wall while it works. Peaks below 20 ms do not reach a breaker.
// Example: a rig of 1,163 W and a heater of 2,000 W on us-15a: 1.76 times, opens after 105 s (30 to 368).
BreakerAssessment assess_breaker(const Mains& mains, const Banded<Watts>& working);

struct UpsAssessment {
  UpsVerdict verdict = UpsVerdict::carries;
  Watts load{};              // the most that it must carry
  double load_share = 0;     // of the tighter of its ratings
  Banded<Seconds> run_time;  // in decode
};

UpsAssessment assess_ups_of(const Ups& ups, Watts peak, const Banded<Watts>& decode);

// In words with the arithmetic.
std::string circuit_words(const CircuitAssessment& assessment, const Mains& mains);
std::string breaker_words(const BreakerAssessment& assessment, const Mains& mains);
std::string ups_words(const UpsAssessment& assessment, const Ups& ups);

}  // namespace oblea
