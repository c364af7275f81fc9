// EnginePlanOf: what the engine needs to know of a placement: each stage's costs, the links between boxes, and how the
// server admits and batches.
//
// Scope: one replica. Hops over the slot to experts on the host count as decoding. Limits: all-reduces do not share
// their link with anything else; the prompt's last token is not multiplied by the head.
#pragma once

#include "engine/engine_plan.hpp"
#include "study/placed_cluster.hpp"
#include "study/scenario.hpp"
#include "timing/timing_parameters.hpp"

namespace oblea {

// A pass of n sequences with equal context through all stages takes what `predict_speed` gives for a step of n, less
// the server's own overhead, which is `serving.overhead_s`. A prompt of up to 2,048 tokens in llama.cpp takes
// `Speed::first_token`: micro-batches of 512 overlap over the stages, so a stage that is not the slowest counts with
// one of them. Example: two stages of 200 and 100 ms for 2,048 tokens, 4 micro-batches: 200 + 100 / 4 = 225 ms.
// `placed` must hold a placement; `timing` must outlive the plan.
EnginePlan engine_plan_of(const Scenario& scenario, const PlacedCluster& placed, const TimingParameters& timing);

}  // namespace oblea
