// Place: which layer sits where, what each device's memory holds, what else would fit, how fast it runs and what it
// draws.
#pragma once

#include "base/result.hpp"
#include "hardware/library.hpp"
#include "report/report.hpp"
#include "study/scenario.hpp"
#include "timing/timing_parameters.hpp"

namespace oblea {

// "Does not fit" is an answer in the report. Errors: a cluster that cannot be built as described.
Result<Report> run_place(const Scenario& scenario, const ProfileLibrary& library, const TimingParameters& timing);

// The same without the claims; claims ask this of their variants.
Result<Report> place_scenario(const Scenario& scenario, const ProfileLibrary& library, const TimingParameters& timing);

}  // namespace oblea
