#include "io/grafana_dashboard.hpp"

#include <set>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "io/openmetrics_file.hpp"
#include "support/sensor_example.hpp"

namespace oblea {
namespace {

using Json = nlohmann::json;

Json dashboard() {
  return Json::parse(write_grafana_dashboard("Four cards in oil", test::kRigBegin, test::kRigBegin + 90061.5));
}

std::set<std::string> shown_metrics(const Json& dashboard) {
  std::set<std::string> names;
  for (const Json& panel : dashboard["panels"]) {
    for (const Json& target : panel["targets"]) {
      const std::string expression = target["expr"];
      names.insert(expression.substr(0, expression.find('{')));
    }
  }
  return names;
}

TEST(GrafanaDashboard, ShowsEveryMetricThatTheWriterWritesAndNoOther) {
  const std::string text = write_openmetrics(test::rig_time_series(), test::kRigBegin);
  const std::set<std::string> shown = shown_metrics(dashboard());
  for (const std::string& name : shown) {
    EXPECT_NE(text.find("# TYPE " + name + " gauge\n"), std::string::npos) << name;
  }
  for (const SensorMetric& metric : kSensorMetrics) EXPECT_EQ(shown.count(std::string(metric.name)), 1u) << metric.name;
}

TEST(GrafanaDashboard, LegendsNameLabelsThatTheSeriesHave) {
  std::set<std::string> labels;
  for (const MetricFamily& family : test::rig_time_series()) {
    for (const Label& label : family.series.front().labels) labels.insert(family.name + " " + label.name);
  }
  for (const Json& panel : dashboard()["panels"]) {
    for (const Json& target : panel["targets"]) {
      const std::string expression = target["expr"];
      const std::string legend = target["legendFormat"];
      for (std::size_t at = legend.find("{{"); at != std::string::npos; at = legend.find("{{", at + 1)) {
        const std::string label = legend.substr(at + 2, legend.find("}}", at) - at - 2);
        EXPECT_EQ(labels.count(expression.substr(0, expression.find('{')) + " " + label), 1u) << legend;
      }
    }
  }
}

TEST(GrafanaDashboard, HasTheFieldsOfTheClassicModel) {
  const Json json = dashboard();
  for (const char* key : {"id", "uid", "title", "tags", "timezone", "editable", "graphTooltip", "panels", "time",
                          "timepicker", "templating", "annotations", "refresh", "schemaVersion", "version", "links"}) {
    EXPECT_TRUE(json.contains(key)) << key;
  }
  EXPECT_TRUE(json["id"].is_null());  // Grafana gives both when it imports
  EXPECT_EQ(json["title"], "Four cards in oil");
  EXPECT_GE(json["schemaVersion"], 36);  // from Grafana 9 on: data sources as objects
  EXPECT_EQ(json["templating"]["list"][0]["name"], "datasource");
  EXPECT_EQ(json["time"]["from"], "2026-01-01T00:00:00.000Z");
  EXPECT_EQ(json["time"]["to"], "2026-01-02T01:01:02.000Z");  // 90,061.5 s later, whole seconds up
}

TEST(GrafanaDashboard, EveryPanelCanBeDrawn) {
  std::set<int> ids;
  std::set<std::pair<int, int>> places;
  for (const Json& panel : dashboard()["panels"]) {
    EXPECT_EQ(panel["type"], "timeseries");
    EXPECT_TRUE(ids.insert(panel["id"].get<int>()).second) << panel["title"];
    const Json& place = panel["gridPos"];
    EXPECT_TRUE(places.insert({place["x"].get<int>(), place["y"].get<int>()}).second) << panel["title"];
    EXPECT_LE(place["x"].get<int>() + place["w"].get<int>(), 24);
    EXPECT_GT(place["h"], 0);
    EXPECT_TRUE(panel["fieldConfig"]["defaults"]["unit"].is_string());
    EXPECT_TRUE(panel["fieldConfig"]["overrides"].is_array());
    EXPECT_EQ(panel["datasource"], (Json{{"type", "prometheus"}, {"uid", "${datasource}"}}));
    std::set<std::string> references;
    ASSERT_FALSE(panel["targets"].empty());
    for (const Json& target : panel["targets"])
      EXPECT_TRUE(references.insert(target["refId"].get<std::string>()).second);
  }
}

}  // namespace
}  // namespace oblea
