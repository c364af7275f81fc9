// Placement on a chain of wafers: how many it takes, and the context and requests that they leave.
#pragma once

#include "base/result.hpp"
#include "hardware/library.hpp"
#include "report/report.hpp"
#include "study/scenario.hpp"

namespace oblea {

Result<Report> place_wafers(const Scenario& scenario, const ProfileLibrary& library);

}  // namespace oblea
