#include "io/grafana_dashboard.hpp"

#include <chrono>
#include <cmath>
#include <vector>

#include <fmt/core.h>
#include <nlohmann/json.hpp>

#include "base/check.hpp"
#include "report/sensor_metrics.hpp"

namespace oblea {
namespace {

using Json = nlohmann::ordered_json;

struct Query {
  SensorMetric metric;
  const char* legend;  // {{label}} stands for a label's value
};

struct Panel {
  const char* title;
  const char* unit;  // Grafana's id of a unit
  std::vector<Query> queries;
};

// Two a row, in the order in which one asks.
const std::vector<Panel> kPanels = {
    {"Tokens", "short", {{kOutputRate, "output {{model_name}}"}, {kPromptRate, "prompt {{model_name}}"}}},
    {"Wall and supplies", "watt", {{kWallPower, "wall, supply {{psu}}"}, {kSupplyOutput, "output, supply {{psu}}"}}},
    {"Card power", "watt", {{kGpuPower, "{{Hostname}} {{gpu}}"}}},
    {"Card temperature",
     "celsius",
     {{kGpuTemperature, "{{Hostname}} {{gpu}} die"}, {kMemoryTemperature, "{{Hostname}} {{gpu}} memory"}}},
    {"Oil probes", "celsius", {{kProbeTemperature, "{{Hostname}} {{position}} {{chip}}"}}},
    {"Card clock", "rotmhz", {{kGpuClock, "{{Hostname}} {{gpu}}"}}},
    {"Card use", "percent", {{kGpuUse, "{{Hostname}} {{gpu}}"}}},
    {"Card memory", "mbytes", {{kGpuMemoryUsed, "{{Hostname}} {{gpu}}"}}}};

constexpr int kPanelWidth = 12;  // of Grafana's 24 columns
constexpr int kPanelHeight = 8;

const Json kDatasource = {{"type", "prometheus"}, {"uid", "${datasource}"}};

// DS18B20 only among the hardware monitors of a host that stands.
std::string expression(const SensorMetric& metric) {
  const std::string name(metric.name);
  return metric.name == kProbeTemperature.name ? name + "{chip=~\"w1_.*\"}" : name;
}

Json targets(const Panel& panel) {
  Json list = Json::array();
  for (const Query& query : panel.queries) {
    list.push_back({{"refId", std::string(1, static_cast<char>('A' + list.size()))},
                    {"datasource", kDatasource},
                    {"expr", expression(query.metric)},
                    {"legendFormat", query.legend},
                    {"range", true}});
  }
  return list;
}

Json panel_json(const Panel& panel, int index) {
  return {{"id", index + 1},
          {"type", "timeseries"},
          {"title", panel.title},
          {"datasource", kDatasource},
          {"gridPos",
           {{"h", kPanelHeight}, {"w", kPanelWidth}, {"x", index % 2 * kPanelWidth}, {"y", index / 2 * kPanelHeight}}},
          {"fieldConfig", {{"defaults", {{"unit", panel.unit}}}, {"overrides", Json::array()}}},
          {"options",
           {{"legend", {{"displayMode", "list"}, {"placement", "bottom"}, {"showLegend", true}}},
            {"tooltip", {{"mode", "multi"}, {"sort", "none"}}}}},
          {"targets", targets(panel)}};
}

std::string iso_time(double unix_s) {
  const std::chrono::sys_seconds time{std::chrono::seconds(std::llround(unix_s))};
  const auto midnight = std::chrono::floor<std::chrono::days>(time);
  const std::chrono::year_month_day date(midnight);
  const std::chrono::hh_mm_ss clock(time - midnight);
  return fmt::format("{:04}-{:02}-{:02}T{:02}:{:02}:{:02}.000Z", static_cast<int>(date.year()),
                     static_cast<unsigned>(date.month()), static_cast<unsigned>(date.day()), clock.hours().count(),
                     clock.minutes().count(), clock.seconds().count());
}

Json datasource_variable() {
  return {{"name", "datasource"},  {"label", "Data source"}, {"type", "datasource"},
          {"query", "prometheus"}, {"refresh", 1},           {"hide", 0}};
}

}  // namespace

std::string write_grafana_dashboard(const std::string& title, double begin_s, double end_s) {
  OBLEA_CHECK(begin_s >= 0 && end_s > begin_s, "a dashboard shows some time");
  Json panels = Json::array();
  for (const Panel& panel : kPanels) panels.push_back(panel_json(panel, static_cast<int>(panels.size())));
  const Json dashboard = {{"id", nullptr},
                          {"uid", nullptr},
                          {"title", title},
                          {"tags", {"oblea"}},
                          {"timezone", "browser"},
                          {"editable", true},
                          {"graphTooltip", 1},
                          {"time", {{"from", iso_time(begin_s)}, {"to", iso_time(std::ceil(end_s))}}},
                          {"timepicker", Json::object()},
                          {"templating", {{"list", Json::array({datasource_variable()})}}},
                          {"annotations", {{"list", Json::array()}}},
                          {"refresh", ""},
                          {"schemaVersion", 39},
                          {"version", 1},
                          {"links", Json::array()},
                          {"panels", std::move(panels)}};
  return dashboard.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace oblea
