#include "io/report_csv.hpp"

#include <fmt/core.h>

namespace oblea {
namespace {

void add_rows(std::string& csv, const std::string& build, const std::string& mixture,
              const std::vector<Metric>& metrics) {
  for (const Metric& metric : metrics) {
    csv += fmt::format("{},{},{},{},{},{},{},{}\r\n", csv_cell(build), csv_cell(mixture), csv_cell(metric.name),
                       metric.value, csv_cell(metric.unit), metric.low, metric.high, origin_name(metric.origin));
  }
}

// Every number of a table as a row of its own, under the name of the row that it stands in.
void add_table(std::string& csv, const Table& table) {
  for (const std::vector<Cell>& row : table.rows) {
    const std::string* name = row.empty() ? nullptr : std::get_if<std::string>(&row.front());
    const std::string key = name != nullptr ? *name
                            : row.empty()   ? ""
                                            : fmt::format("{}", std::get<double>(row.front()));
    for (std::size_t i = 1; i < row.size(); ++i) {
      const double* value = std::get_if<double>(&row[i]);
      if (value == nullptr) continue;
      csv += fmt::format("{},{},{},{},{},{},{},\r\n", csv_cell(key), csv_cell(table.name),
                         csv_cell(table.columns[i].name), *value, csv_cell(table.columns[i].unit), *value, *value);
    }
  }
}

}  // namespace

std::string csv_cell(const std::string& text) {
  std::string safe = text;
  if (!safe.empty() && std::string("=+-@\t\r").find(safe.front()) != std::string::npos) safe.insert(safe.begin(), '\'');
  if (safe.find_first_of(",\"\r\n") == std::string::npos) return safe;
  std::string quoted = "\"";
  for (const char c : safe) {
    if (c == '"') quoted += '"';
    quoted += c;
  }
  return quoted + "\"";
}

std::string write_report_csv(const Report& report) {
  std::string csv = "build,quantisation,name,value,unit,low,high,origin\r\n";
  add_rows(csv, report.command, "", report.metrics);
  for (const Table& table : report.tables) add_table(csv, table);
  for (const BuildRow& build : report.builds) add_rows(csv, build.name, build.mixture, build.metrics);
  return csv;
}

}  // namespace oblea
