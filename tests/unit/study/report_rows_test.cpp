#include "study/report_rows.hpp"

#include <gtest/gtest.h>

#include "support/repository.hpp"

namespace oblea {
namespace {

using test::value_of;

// Two cards and a host, of which the host holds nothing.
struct Placed {
  Placed() {
    planning.placement = {{"a", kGiB * 24, kGiB * 23, 1, 0, false},
                          {"b", kGiB * 24, kGiB * 23, 1, 0, false},
                          {"host RAM", kGiB * 64, kGiB * 62, 1, 0, true}};
    planning.accelerators = 2;
    placement.stages = {{0, 41, {0}, true, false}, {41, 39, {1}, false, true}};
    placement.memory = {{kGiB * 20, kGiB * 2, kGiB * 0, kGiB * 1, kGiB * 1},
                        {kGiB * 19, kGiB * 2, kGiB * 0, kGiB * 1, kGiB * 2}};
    placement.context_max = Tokens(9000);
    placement.concurrency_max = 2;
  }
  PlanningDevices planning;
  Placement placement;
};

TEST(ReportRows, ADeviceRowNamesItsLayersAndItsMemory) {
  const Placed p;
  const auto rows = device_rows(p.placement, p.planning);
  ASSERT_EQ(rows.size(), 2u);
  EXPECT_EQ(rows[0].layers, "0-40");
  EXPECT_EQ(rows[1].layers, "41-79");
  for (const DeviceRow& row : rows)
    EXPECT_EQ(row.weights + row.kv + row.state + row.buffers + row.runtime + row.free, row.capacity) << row.device;
}

TEST(ReportRows, AStageWithoutLayersIsNotNamed) {
  Placed p;
  p.placement.stages.push_back({80, 0, {1}, false, true});
  EXPECT_EQ(device_rows(p.placement, p.planning)[1].layers, "41-79");
}

TEST(ReportRows, ShardsOfATensorParallelGroupHaveTheSameLayers) {
  Placed p;
  p.placement.stages = {{0, 80, {0, 1}, true, true}};
  const auto rows = device_rows(p.placement, p.planning);
  EXPECT_EQ(rows[0].layers, "0-79");
  EXPECT_EQ(rows[1].layers, "0-79");
}

TEST(ReportRows, CapacityIsNoMoreThanTheModelWasMadeFor) {
  const Placed p;
  Scenario scenario;
  scenario.model.max_context = 4096;
  scenario.workload.context = Tokens(2048);
  std::vector<Metric> metrics;
  ModelFootprint model;
  LayerFootprint layer;
  layer.kv_per_token = kMiB / Tokens(1);
  model.layers = {layer};
  add_capacity_metrics(metrics, p.placement, model, 2, scenario);
  // 0.25 GiB on each of two cards is 512 MiB, 512 tokens of 1 MiB.
  EXPECT_EQ(find_metric(metrics, "context_max_tokens")->low, 4096 - 512);
  EXPECT_EQ(value_of(metrics, "context_max_tokens"), 4096);
  EXPECT_EQ(value_of(metrics, "users_max"), 2);
  EXPECT_EQ(value_of(metrics, "context_tokens"), 2048);
}

MachinePower power_of(double idle, double decode, double peak) {
  MachinePower power;
  power.wall_idle = {Watts(idle), Watts(idle), Watts(idle)};
  power.wall_decode = power.wall_prefill = {Watts(decode), Watts(decode), Watts(decode)};
  power.wall_peak = Watts(peak);
  return power;
}

// 4 h x 500 W + 20 h x 100 W = 4 kWh a day; a month is 365 / 12 days: 121.7 kWh. 1 kW for a year: 8,760 kWh.
TEST(ReportRows, AMonthHasBusyAndIdleHours) {
  Site site;
  site.busy_hours_per_day = 4;
  site.tariff = "eu-household";
  std::vector<Metric> metrics;
  add_energy_metrics(metrics, power_of(100, 500, 1000), nullptr, site, test::repository_library());
  EXPECT_NEAR(value_of(metrics, "energy_month_kwh"), 4 * 365.0 / 12, 0.1);
  EXPECT_NEAR(value_of(metrics, "full_load_year_kwh"), 8760, 1);
  double tariff = 0;
  for (const Tariff& t : test::repository_library().prices.tariffs) {
    if (t.id == site.tariff) tariff = t.per_kilowatt_hour.amount;
  }
  EXPECT_NEAR(value_of(metrics, "energy_month_cost"), 4 * 365.0 / 12 * tariff, 0.05);
  EXPECT_EQ(find_metric(metrics, "energy_cost_per_million_tokens"), nullptr) << "nothing runs, no token has a price";
}

// 500 W at 10 tokens/s: 100,000 s = 27.8 h a million, 13.9 kWh.
TEST(ReportRows, AMillionTokensTakeTheirEnergy) {
  Site site;
  Speed speed;
  speed.total = {TokensPerSecond(10), TokensPerSecond(5), TokensPerSecond(20)};
  std::vector<Metric> metrics;
  add_energy_metrics(metrics, power_of(100, 500, 1000), &speed, site, test::repository_library());
  const Metric* cost = find_metric(metrics, "energy_cost_per_million_tokens");
  ASSERT_NE(cost, nullptr);
  EXPECT_NEAR(cost->low * 2, cost->value, 1e-9);
  EXPECT_NEAR(cost->high / 2, cost->value, 1e-9);
  const Metric* year = find_metric(metrics, "full_load_year_cost");  // 8,760 kWh
  EXPECT_NEAR(cost->value / (500.0 * 100000 / 3.6e6), year->value / 8760, 1e-9);
}

TEST(ReportRows, AnUnknownTariffHasNoEnergyRows) {
  Site site;
  site.tariff = "nobody";
  std::vector<Metric> metrics;
  add_energy_metrics(metrics, power_of(1, 1, 1), nullptr, site, test::repository_library());
  EXPECT_TRUE(metrics.empty());
}

TEST(ReportRows, SpeedsOfAnEngineThatIsNotFittedAreEstimates) {
  Speed speed;
  std::vector<Metric> metrics;
  add_speed_metrics(metrics, speed);
  EXPECT_EQ(find_metric(metrics, "decode_tokens_per_s")->origin, Origin::measured_elsewhere);
  speed.estimated = true;
  metrics.clear();
  add_speed_metrics(metrics, speed);
  EXPECT_EQ(find_metric(metrics, "decode_tokens_per_s")->origin, Origin::estimate);
}

}  // namespace
}  // namespace oblea
