// OpenMetricsFile: time series as OpenMetrics text 1.0, which Prometheus takes in with
// `promtool tsdb create-blocks-from openmetrics FILE FOLDER`.
#pragma once

#include <string>

#include "report/time_series.hpp"

namespace oblea {

// `start_s` is the Unix time of the run's begin: a run has no date of its own. Times are written in milliseconds, which
// is what Prometheus keeps. A family without samples is left out.
// Example: 412.5 W at 1.25 s, begun at 1767225600 (2026-01-01): "oblea_wall_watts{psu=\"0\"} 412.5 1767225601.250".
// Bugs of the caller: names outside the format's alphabet, a unit that does not end the name, a family, a label or a
// series twice, samples less than a millisecond apart.
std::string write_openmetrics(const TimeSeries& time_series, double start_s);

}  // namespace oblea
