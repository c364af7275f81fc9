// ScenarioTraffic: the "traffic" and "slo" sections of a scenario file: who sends what when, and what counts as good.
#pragma once

#include <map>
#include <memory>
#include <string>

#include "io/fields.hpp"
#include "io/trace_file.hpp"
#include "study/scenario.hpp"

namespace oblea {

// Traces by path: read once, however many claims play them; a pipe can be read once only.
using TraceShelf = std::map<std::string, std::shared_ptr<const Trace>>;

// What is not said follows the workload: its users in a closed loop, its prompt and its answer.
// A trace is read here; what is wrong with it is noted with the rest.
void parse_traffic(ObjectReader& root, Scenario& scenario, TraceShelf& traces, Diagnostics& warnings);
void parse_slo(ObjectReader& root, Scenario& scenario);

}  // namespace oblea
