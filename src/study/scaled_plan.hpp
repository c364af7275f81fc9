// ScaledPlan: the same plan with one kind of resource faster, slower or larger; for bands and for "what would help".
#pragma once

#include "engine/engine_plan.hpp"

namespace oblea {

// Factors on durations and rooms; 1 leaves a thing as it is.
struct PlanFactors {
  double decode = 1;   // decoding, caches' reading, the server's overhead
  double prefill = 1;  // reading prompts
  double links = 1;    // hops and collectives
  double cache = 1;    // room for KV; of slots it is bound to their number and stays
  double start = 1;    // loading
  double slots = 1;    // sequences at once; slots bring their cache along
};

// Example: {.decode = 0.5} halves a decode pass of 20 ms to 10 ms and leaves a hop of 1 ms.
EnginePlan scaled_plan(const EnginePlan& plan, const PlanFactors& factors);

// Every plan of every replica, and the handover as a link. What fails when stays.
FleetPlan scaled_fleet(const FleetPlan& fleet, const PlanFactors& factors);

}  // namespace oblea
