// Report to text for people: the answer first, then the arithmetic.
#pragma once

#include <string>

#include "report/report.hpp"

namespace oblea {

struct PrintOptions {
  int builds = 5;  // of `size`
  int lost = 8;
};

std::string print_report(const Report& report, const PrintOptions& options = {});

}  // namespace oblea
