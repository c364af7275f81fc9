// WaferFigures: what a run over a chain of wafers tells besides the figures of every run.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "engine/engine_result.hpp"
#include "report/report.hpp"
#include "study/simulated_plan.hpp"

namespace oblea {

// Adds to the metrics of a run, from which they are made:
//   decode_tokens_per_s  of a user: 1 / mean TPOT
//   hop_share_percent    hops / (hops + work), of all passes: what a token's way spends between wafers
//   power_mw, tokens_per_s_per_mw
// Example: TPOT 0.8 ms, 46 s of hops beside 184 s of work, 2 MW, 60,000 tokens/s: 1,250, 20 %, 30,000 tokens/s/MW.
// Band: work at the ends of the plan's, hops as they are; of the power its spread.
void add_wafer_figures(std::vector<Metric>& metrics, const SimulatedPlan& simulated, const EngineResult& result);

// How a note begins that tells `token_way_words`.
inline constexpr std::string_view kTokenWay = "a token's way alone: ";

// The arithmetic of one token of one request, and of a full pipeline. Example: 70 wafers of 93 layers at 7.5 us and 69
// hops of 2 us with 0.26 us of payload: "a token's way alone: 93 layers 697.5 us + 69 hops 156.1 us = 853.6 us; ...".
std::string token_way_words(const EnginePlan& plan, int layers, int hops);

}  // namespace oblea
