#include "report/report.hpp"

#include <algorithm>

namespace oblea {

std::string_view origin_name(Origin origin) {
  switch (origin) {
    case Origin::measured_here:
      return "measured-here";
    case Origin::measured_elsewhere:
      return "measured-elsewhere";
    case Origin::datasheet:
      return "datasheet";
    case Origin::estimate:
      return "estimate";
  }
  return "";
}

const Metric* find_metric(const std::vector<Metric>& metrics, std::string_view name) {
  for (const Metric& metric : metrics) {
    if (metric.name == name) return &metric;
  }
  return nullptr;
}

Metric make_metric(std::string name, double value, std::string unit, double low, double high, Origin origin) {
  const auto [smaller, larger] = std::minmax(low, high);
  return {std::move(name), value, std::move(unit), std::min(smaller, value), std::max(larger, value), origin};
}

Metric exact_metric(std::string name, double value, std::string unit, Origin origin) {
  return {std::move(name), value, std::move(unit), value, value, origin};
}

}  // namespace oblea
