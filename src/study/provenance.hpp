// Provenance: where the numbers come from that decide an answer, a line each.
#pragma once

#include <string>
#include <vector>

#include "hardware/library.hpp"
#include "llm/model_spec.hpp"
#include "timing/timing_parameters.hpp"

namespace oblea {

// Memory, bandwidth and watts of every different device, in order of id; the model's geometry; the fit, where one was
// used (nullptr: none); the price list's rate. Example: "rtx-3090 memory: datasheet, 2026-02, techpowerup.com/...".
std::vector<std::string> provenance_of(const std::vector<const Device*>& devices, const ModelSpec& model,
                                       const TimingParameters* timing, const PriceList& prices);

}  // namespace oblea
