// Size: which build should I buy, or what should I add to what I have, for this model, context, users, speed, budget,
// circuit?
#pragma once

#include "base/result.hpp"
#include "hardware/library.hpp"
#include "report/report.hpp"
#include "study/scenario.hpp"
#include "timing/timing_parameters.hpp"

namespace oblea {

// "Nothing in the budget" is an answer, with the cheapest build that would do. Errors: a machine at hand that cannot be
// built.
Result<Report> run_size(const Scenario& scenario, const ProfileLibrary& library, const TimingParameters& timing);

}  // namespace oblea
