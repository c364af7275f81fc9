#include "study/report_rows.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/core.h>

#include "cost/energy.hpp"
#include "cost/token_cost.hpp"
#include "hardware/library.hpp"
#include "placement/llama_cpp_memory.hpp"
#include "units/print.hpp"

namespace oblea {
namespace {

const Tariff* find_tariff(const ProfileLibrary& library, const std::string& id) {
  for (const Tariff& tariff : library.prices.tariffs) {
    if (tariff.id == id) return &tariff;
  }
  return nullptr;
}

template <class Q>
void add_band(std::vector<Metric>& metrics, std::string name, const Banded<Q>& band, std::string unit, Origin origin) {
  metrics.push_back(
      make_metric(std::move(name), band.value.value(), std::move(unit), band.low.value(), band.high.value(), origin));
}

Banded<Joules> monthly(const MachinePower& power, const DutyCycle& duty) {
  return {monthly_energy(power.wall_decode.value, power.wall_idle.value, duty),
          monthly_energy(power.wall_decode.low, power.wall_idle.low, duty),
          monthly_energy(power.wall_decode.high, power.wall_idle.high, duty)};
}

// What llama.cpp leaves in host memory where cards hold all layers.
void add_host_parts(Table& table, const PlanningDevices& planning) {
  if (planning.load.unified || !cache_rules(planning.load.engine).embedding_on_host) return;
  const Bytes buffers = llama_cpp_host_buffer(planning.load, planning.context);
  table.rows.push_back({"host RAM", "token embedding", planning.load.embedding / kMiB});
  table.rows.push_back({"host RAM", "pinned buffers", buffers / kMiB});
}

}  // namespace

std::vector<DeviceRow> device_rows(const Placement& placement, const PlanningDevices& planning) {
  std::vector<DeviceRow> rows;
  for (std::size_t d = 0; d < planning.placement.size() && d < placement.memory.size(); ++d) {
    const DeviceMemory& memory = placement.memory[d];
    DeviceRow row;
    row.device = planning.placement[d].name;
    for (const Stage& stage : placement.stages) {
      const bool here =
          std::find(stage.devices.begin(), stage.devices.end(), static_cast<int>(d)) != stage.devices.end();
      if (!here || stage.layer_count == 0) continue;
      row.layers += fmt::format("{}{}-{}", row.layers.empty() ? "" : ", ", stage.first_layer,
                                stage.first_layer + stage.layer_count - 1);
    }
    row.capacity = planning.placement[d].capacity;
    row.weights = memory.weights;
    row.kv = memory.kv;
    row.state = memory.state;
    row.buffers = memory.buffers;
    row.runtime = memory.runtime;
    row.free = memory.free;
    rows.push_back(std::move(row));
  }
  return rows;
}

Table engine_table(const Placement& placement, const PlanningDevices& planning) {
  Table table;
  table.name = "What the engine keeps";
  table.columns = {{"device", ""}, {"part", ""}, {"mib", "MiB"}};
  for (const Stage& stage : placement.stages) {
    for (const int d : stage.devices) {
      const auto device = static_cast<std::size_t>(d);
      for (const EngineMemoryPart& part :
           planning.kept_by_engine(device, stage.holds_head, static_cast<int>(stage.devices.size()))) {
        table.rows.push_back({planning.placement[device].name, std::string(part.name), part.bytes / kMiB});
      }
    }
  }
  add_host_parts(table, planning);
  return table;
}

Metric weights_metric(Bytes weights) {
  const double gib = weights / kGiB;
  return make_metric("weights_gib", gib, "GiB", gib * 0.99, gib * 1.01, Origin::datasheet);
}

std::optional<Verdict> spill_verdict(const Placement& placement, const PlanningDevices& planning) {
  if (!planning.load.engine.windows_os) return std::nullopt;
  for (std::size_t d = 0; d < planning.accelerators; ++d) {
    const Bytes free = placement.memory[d].free;
    if (free >= kWindowsHeadroom) continue;
    return Verdict{
        "spills", Answer::tight,
        fmt::format("{} has {} left: Windows will move a part of it into host memory instead of failing, and "
                    "speed falls about tenfold; leave 1 GiB",
                    planning.placement[d].name, print_gib(free))};
  }
  return std::nullopt;
}

Verdict fit_verdict(const Placement& placement, std::size_t cards, std::string words) {
  Bytes least{kGiB * 1e9};
  for (std::size_t d = 0; d < cards; ++d) least = std::min(least, placement.memory[d].free);
  if (least >= kMemoryMargin) return {"fits", Answer::yes, std::move(words)};
  return {"fits-tight", Answer::tight,
          words + fmt::format(
                      "; the fullest device has {} left, less than the {} by which the engine's own memory may be off",
                      print_gib(least), print_gib(kMemoryMargin))};
}

void add_capacity_metrics(std::vector<Metric>& metrics, const Placement& placement, const ModelFootprint& model,
                          std::size_t cards, const Scenario& scenario) {
  Bytes free{};
  for (std::size_t d = 0; d < cards; ++d) free += placement.memory[d].free;
  const Bytes margin = kMemoryMargin * static_cast<double>(cards);
  metrics.push_back(make_metric("memory_free_gib", free / kGiB, "GiB", std::max(0.0, (free - margin) / kGiB),
                                (free + margin) / kGiB, Origin::estimate));
  BytesPerToken per_token{};  // of layers that grow with the context
  for (const LayerFootprint& layer : model.layers) {
    if (layer.window == 0) per_token += layer.kv_per_token;
  }
  const double context = useful_context(placement, scenario).value();
  const double tokens = per_token.value() > 0 ? margin / per_token / Tokens(scenario.workload.users) : 0.0;
  metrics.push_back(make_metric("context_max_tokens", context, "tokens", std::max(0.0, context - tokens),
                                context + tokens, Origin::estimate));
  // The users asked for fit with `free` left; what a margin more or less would hold besides.
  const Bytes request = request_bytes(model, scenario.workload.context);
  const auto users = [&](Bytes left) {
    return request.value() > 0 ? std::floor(scenario.workload.users + left / request) : placement.concurrency_max;
  };
  metrics.push_back(make_metric("users_max", placement.concurrency_max, "requests", std::max(0.0, users(free - margin)),
                                users(free + margin), Origin::estimate));
  metrics.push_back(exact_metric("context_tokens", scenario.workload.context.value(), "tokens"));
}

void add_speed_metrics(std::vector<Metric>& metrics, const Speed& speed) {
  // Fitted to other people's measurements where the engine is llama.cpp; anything else rests on estimates as well.
  const Origin origin = speed.estimated ? Origin::estimate : Origin::measured_elsewhere;
  add_band(metrics, "decode_tokens_per_s", speed.per_user, "tokens/s a user", origin);
  add_band(metrics, "decode_total_tokens_per_s", speed.total, "tokens/s", origin);
  add_band(metrics, "prefill_tokens_per_s", speed.prefill, "tokens/s", origin);
  metrics.push_back(make_metric("ttft_s", speed.first_token.value.value(), "s", speed.first_token.low.value(),
                                speed.first_token.high.value(), origin));
  // The band of collectives over TCP; work besides them stays as it is.
  const auto add_share = [&](const char* name, double share) {
    const auto percent = [&](double factor) { return 100 * share * factor / (share * factor + 1 - share); };
    metrics.push_back(make_metric(name, percent(1), "%", percent(0.65), percent(1.6), Origin::estimate));
  };
  const auto add_traffic = [&](const char* name, const Banded<BytesPerSecond>& rate) {
    const Banded<double> gigabytes{rate.value.value() / 1e9, rate.low.value() / 1e9, rate.high.value() / 1e9};
    metrics.push_back(make_metric(name, gigabytes.value, "GB/s", gigabytes.low, gigabytes.high, origin));
  };
  add_share("network_share_percent", speed.network_share);
  add_traffic("network_traffic_gb_per_s", speed.traffic);
  add_share("prompt_network_share_percent", speed.prompt_network_share);
  add_traffic("prompt_network_traffic_gb_per_s", speed.prompt_traffic);
}

void add_link_metrics(std::vector<Metric>& metrics, const MachineLinks& links) {
  if (links.between.goodput.value() <= 0) return;
  const auto add_rate = [&](const char* name, BytesPerSecond rate) {
    const double gigabytes = rate.value() / 1e9;  // of tuned flows; on 10 GbE others were measured at a half and less
    metrics.push_back(make_metric(name, gigabytes, "GB/s", gigabytes * 0.5, gigabytes, Origin::measured_elsewhere));
  };
  add_rate("link_one_flow_gb_per_s", links.between.goodput);
  add_rate("link_all_flows_gb_per_s", links.between_all_flows);
}

void add_energy_metrics(std::vector<Metric>& metrics, const MachinePower& power, const Speed* speed, const Site& site,
                        const ProfileLibrary& library) {
  const Tariff* tariff = find_tariff(library, site.tariff);
  if (tariff == nullptr) return;
  const DutyCycle duty{.busy_hours = site.busy_hours_per_day, .idle_hours = 24 - site.busy_hours_per_day};
  const Banded<Joules> energy = monthly(power, duty);
  const auto kwh = [](Joules joules) { return joules / kKilowattHour; };
  metrics.push_back(
      make_metric("energy_month_kwh", kwh(energy.value), "kWh", kwh(energy.low), kwh(energy.high), Origin::estimate));
  const Banded<Money> cost = energy_cost(energy, tariff->per_kilowatt_hour);
  const std::string currency(currency_code(tariff->per_kilowatt_hour.currency));
  const Joules year = power.wall_peak * (24 * kDaysPerYear * kHour);
  const double year_cost = energy_cost(year, tariff->per_kilowatt_hour).amount;
  metrics.push_back(
      make_metric("full_load_year_kwh", kwh(year), "kWh", kwh(year) * 0.97, kwh(year) * 1.03, Origin::estimate));
  metrics.push_back(
      make_metric("full_load_year_cost", year_cost, currency, year_cost * 0.97, year_cost * 1.03, Origin::estimate));
  metrics.push_back(make_metric("energy_month_cost", cost.value.amount, currency, cost.low.amount, cost.high.amount,
                                Origin::estimate));
  if (speed == nullptr) return;
  const auto per_million = [&](Watts watts, TokensPerSecond rate) {
    return cost_per_million_tokens(energy_cost_per_hour(watts, tariff->per_kilowatt_hour), rate).amount;
  };
  metrics.push_back(make_metric("energy_cost_per_million_tokens",
                                per_million(power.wall_decode.value, speed->total.value), currency,
                                per_million(power.wall_decode.low, speed->total.high),
                                per_million(power.wall_decode.high, speed->total.low), Origin::estimate));
}

void add_run_energy_metrics(std::vector<Metric>& metrics, const RunEnergy& run, const Site& site,
                            const ProfileLibrary& library) {
  const auto add = [&](const char* name, const std::string& unit, double value, double low, double high) {
    metrics.push_back(make_metric(name, value, unit, low, high, Origin::estimate));
  };
  add("wall_mean_w", "W", run.wall.value.value(), run.wall.low.value(), run.wall.high.value());
  const auto kwh = [](Joules joules) { return joules / kKilowattHour; };
  add("run_energy_kwh", "kWh", kwh(run.energy.value), kwh(run.energy.low), kwh(run.energy.high));
  if (run.tokens <= 0) return;
  const auto each = [&](Joules joules) { return joules.value() / run.tokens; };
  add("energy_j_per_token", "J/token", each(run.energy.value), each(run.energy.low), each(run.energy.high));
  const Tariff* tariff = find_tariff(library, site.tariff);
  if (tariff == nullptr) return;
  const Banded<Money> cost = energy_cost(run.energy, tariff->per_kilowatt_hour);
  const double millions = run.tokens / 1e6;
  add("energy_cost_per_million_tokens", std::string(currency_code(tariff->per_kilowatt_hour.currency)),
      cost.value.amount / millions, cost.low.amount / millions, cost.high.amount / millions);
}

void add_link_rows(std::vector<Metric>& metrics, std::vector<Verdict>& verdicts, const Machine& machine,
                   const Placement& placement, const Speed& speed, const ProfileLibrary& library) {
  Seconds slowest{};
  const PcieLink* narrowest = nullptr;
  std::size_t device = 0;
  bool from_disk = false;  // of a described machine the disk is not known
  for (const Box& box : machine.boxes) {
    from_disk = from_disk || box.disk != nullptr;
    Bytes in_box{};
    for (std::size_t i = 0; i < box.devices.size(); ++i, ++device) {
      const Bytes weights = placement.memory[device].weights;
      in_box += weights;
      const PcieLink* link =
          i < box.slots.size() ? find_pcie(library, box.slots[i].generation, box.slots[i].lanes) : nullptr;
      if (link == nullptr) continue;
      slowest = std::max(slowest, weights / link->goodput.value);
      if (narrowest == nullptr || link->goodput.value < narrowest->goodput.value) narrowest = link;
    }
    if (box.disk != nullptr) slowest = std::max(slowest, in_box / box.disk->read.value);
  }
  if (slowest.value() <= 0) return;
  // A loader that maps the file reads at about half of what the disk can; the page cache makes a second load faster.
  metrics.push_back(
      make_metric("load_s", slowest.value(), "s", slowest.value() * 0.7, slowest.value() * 2.5, Origin::estimate));
  if (narrowest == nullptr) return;
  const Answer answer = speed.network_share > 0.2 ? Answer::tight : Answer::yes;
  verdicts.push_back(
      {answer == Answer::yes ? "links" : "links-tight", answer,
       fmt::format("narrowest slot gen{} x{} ({:.3g} GB/s): loads the weights in about {:.2g} s{}, and "
                   "links take {:.2g} % of a step",
                   narrowest->generation, narrowest->lanes, narrowest->goodput.value.value() / 1e9, slowest.value(),
                   from_disk ? "" : " once they are in the host's memory", 100 * speed.network_share)});
}

}  // namespace oblea
