// An independent checker of what `size` offers: it knows the bill, the library and arithmetic, and nothing of the
// search.
#pragma once

#include <string>

#include "report/report.hpp"
#include "study/scenario.hpp"

namespace oblea::test {

// Everything wrong with one build, a line each; "" when it keeps every promise: the bill adds up and is within the
// budget, every device holds what is laid on it, all of the model and of the KV is somewhere, cards go into the slots,
// supplies carry them with plugs for each, the circuit carries the box, boxes are joined, model files fit on the disk,
// speeds are as asked.
std::string build_faults(const BuildRow& build, const Scenario& scenario);

// Faults of the whole answer: those of its builds, and builds that another beats.
std::string answer_faults(const Report& report, const Scenario& scenario);

}  // namespace oblea::test
