// Report to JSON v1. The schema is published as hardware-profiles/schemas/report.schema.json.
#pragma once

#include <string>

#include "report/report.hpp"

namespace oblea {

inline constexpr int kReportFormat = 1;

// Ends with a newline. Every number is finite; integers stay below 2^53.
std::string write_report_json(const Report& report);

}  // namespace oblea
