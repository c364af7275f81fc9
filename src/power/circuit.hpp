// Circuit: the mains circuit behind the socket, and whether its breaker carries a load for hours.
#pragma once

#include <span>
#include <string_view>

#include "units/quantity.hpp"

namespace oblea {

struct Circuit {
  std::string_view id;
  std::string_view name;
  double volts = 0;
  double amperes = 0;
  double continuous_share = 0.8;  // of the breaker, for loads of 3 hours and more
  bool continuous_is_rule =
      false;  // true: exceeding it does not fit (US NEC); false: good practice, exceeding it is tight
};

// eu-16a, uk-13a, us-15a, us-20a.
std::span<const Circuit> all_circuits();
const Circuit* find_circuit(std::string_view id);

// Example: eu-16a 3,680 W; us-15a 1,800 W.
Watts breaker_watts(const Circuit& circuit);
// Example: eu-16a 2,944 W; us-15a 1,440 W.
Watts continuous_watts(const Circuit& circuit);

enum class CircuitVerdict { fits, tight, does_not_fit };

struct CircuitAssessment {
  CircuitVerdict verdict = CircuitVerdict::fits;
  Watts load{};         // wall watts of the build and of everything else on the circuit
  Watts limit{};        // above it the load does not fit
  Watts comfortable{};  // above it the load is tight
};

// Whether a load that lasts for hours fits; `others` is what else hangs on the same breaker.
// Example: 1,685 W on eu-16a: fits (2,944 W); on us-15a: does not fit (1,440 W). 3,000 W on eu-16a: tight.
CircuitAssessment assess_circuit(const Circuit& circuit, Watts build, Watts others = Watts(0));

}  // namespace oblea
