#include "power/circuit.hpp"

namespace oblea {
namespace {

// us: NEC 210.20(A), continuous loads at most 80 % of the breaker. eu, uk: no such rule for the breaker; the UK
// plug's fuse is 13 A.
constexpr Circuit kCircuits[] = {
    {"eu-16a", "EU 16 A / 230 V", 230, 16, 0.8, false},
    {"uk-13a", "UK 13 A plug / 230 V", 230, 13, 0.8, false},
    {"us-15a", "US 15 A / 120 V", 120, 15, 0.8, true},
    {"us-20a", "US 20 A / 120 V", 120, 20, 0.8, true},
};

}  // namespace

std::span<const Circuit> all_circuits() { return kCircuits; }

const Circuit* find_circuit(std::string_view id) {
  for (const Circuit& circuit : kCircuits) {
    if (circuit.id == id) return &circuit;
  }
  return nullptr;
}

Watts breaker_watts(const Circuit& circuit) { return Watts(circuit.volts * circuit.amperes); }
Watts continuous_watts(const Circuit& circuit) { return breaker_watts(circuit) * circuit.continuous_share; }

CircuitAssessment assess_circuit(const Circuit& circuit, Watts build, Watts others) {
  CircuitAssessment result;
  result.load = build + others;
  result.comfortable = continuous_watts(circuit);
  result.limit = circuit.continuous_is_rule ? result.comfortable : breaker_watts(circuit);
  if (result.load > result.limit) {
    result.verdict = CircuitVerdict::does_not_fit;
  } else if (result.load > result.comfortable) {
    result.verdict = CircuitVerdict::tight;
  }
  return result;
}

}  // namespace oblea
