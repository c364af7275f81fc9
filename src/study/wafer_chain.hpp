// WaferChain: a scenario's layers on wafers, and how often a token enters each.
#pragma once

#include <string>
#include <vector>

#include "hardware/device.hpp"
#include "placement/wafer.hpp"
#include "report/report.hpp"
#include "study/scenario.hpp"

namespace oblea {

// The rule of this name; the scenario reader checks names.
WaferRule find_wafer_rule(const std::string& name);

// How often a token enters each wafer from another one. In pipeline order once, the first wafer never; out of order a
// wafer that is visited again counts again. Example: layers 0 and 2 on wafer A, 1 and 3 on B: A 1 (for 2), B 2.
std::vector<int> wafer_entries(const WaferPlan& plan, int layers);

// "fits", or "does-not-fit": a layer too large, or less room than the asked requests need.
Verdict wafer_fit_verdict(const WaferPlan& plan, const Scenario& scenario, const Device& wafer);

}  // namespace oblea
