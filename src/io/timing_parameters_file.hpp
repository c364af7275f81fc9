// The parameter file of the timing model: hardware-profiles/timing/llama-cpp.json.
#pragma once

#include <string>

#include "base/result.hpp"
#include "timing/timing_parameters.hpp"

namespace oblea {

Result<TimingParameters> read_timing_parameters(const std::string& path);
Result<TimingParameters> parse_timing_parameters(std::string text, const std::string& file);

// The file's text: every parameter with its value, prior, spread and words, and the bands. Ends with a newline.
std::string print_timing_parameters(const TimingParameters& parameters);

}  // namespace oblea
