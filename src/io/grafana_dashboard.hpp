// GrafanaDashboard: a dashboard for the metrics of report/sensor_metrics, to import into Grafana beside the time
// series.
#pragma once

#include <string>

namespace oblea {

// Grafana's classic model (schemaVersion 39, Grafana 10.4 and later take it); the reader picks the Prometheus among his
// own data sources. `begin_s` and `end_s` are Unix times, shown from the start, as the run is not now.
// The same panels show a rig that stands: only the label job="oblea" marks what was simulated.
std::string write_grafana_dashboard(const std::string& title, double begin_s, double end_s);

}  // namespace oblea
