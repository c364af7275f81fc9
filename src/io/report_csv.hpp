// Report to CSV (RFC 4180): one row a figure, of the run and of each build.
#pragma once

#include <string>

#include "report/report.hpp"

namespace oblea {

// Columns: build, quantisation, name, value, unit, low, high, origin. Decimal points, no thousands separators, CRLF line ends.
// Text that a spreadsheet would run as a formula gets a leading apostrophe.
std::string write_report_csv(const Report& report);

// One cell, quoted where RFC 4180 asks for it and with formulas made harmless.
std::string csv_cell(const std::string& text);

}  // namespace oblea
