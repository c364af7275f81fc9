// Speculation: what the guesses of a draft model cost and bring.
#pragma once

#include "engine/engine_plan.hpp"
#include "study/placed_cluster.hpp"
#include "study/scenario.hpp"
#include "timing/timing_parameters.hpp"
#include "units/banded.hpp"

namespace oblea {

// Tokens that a step makes on average: guesses are accepted as long as all before them were, each with the same chance
// a, and the model adds one of its own: (1 - a^(k + 1)) / (1 - a); k + 1 for a = 1 (Leviathan, Kalman and Matias,
// 2023). Example: 4 guesses at 0.7: (1 - 0.168) / 0.3 = 2.77.
double accepted_length(int guesses, double acceptance);

// With a chance that the scenario does not give: 0.7, an estimate, 0.5 to 0.85. Without a draft 1.
Banded<double> accepted_length(const Scenario& scenario);

// The draft model stands whole on the first card. A step guesses one token after the other, then checks all of them and
// one more at once; the draft reads every prompt too. Nothing without a draft. `timing` must outlive the plan.
void add_speculation(EnginePlan& plan, const Scenario& scenario, const PlacedCluster& placed,
                     const TimingParameters& timing);

}  // namespace oblea
