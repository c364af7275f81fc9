// Reads a file of published measurements.
#pragma once

#include <string>
#include <vector>

#include "base/result.hpp"
#include "timing/measurement.hpp"

namespace oblea {

Result<std::vector<Measurement>> read_measurements(const std::string& path);
Result<std::vector<Measurement>> parse_measurements(std::string text, const std::string& file);

}  // namespace oblea
