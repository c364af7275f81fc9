#include "study/engine_plan_of_wafers.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include <fmt/core.h>

#include "base/check.hpp"
#include "study/model_work.hpp"
#include "study/provenance.hpp"
#include "study/wafer_chain.hpp"
#include "study/wafer_figures.hpp"
#include "timing/wafer.hpp"

namespace oblea {
namespace {

constexpr double kPeakShare = 0.3;     // of the dense 16-bit peak that small batches reach; estimate
constexpr int kWaferPassTokens = 512;  // of a prompt, at once

// Seconds that one token more in a pass adds to a wafer.
double seconds_a_token(const ModelFootprint& model, const Wafer& wafer, const Device& device) {
  if (!device.fp16_tensor) return 0;
  double flops = 0;
  for (const int layer : wafer.layers) {
    const ModelWork work = make_model_work(model, {.first = layer, .count = 1, .with_head = false});
    flops += 2 * (total(work.trunk).weights + work.active_experts * total(work.expert).weights);
  }
  return flops / (device.fp16_tensor->value.value() * kPeakShare);
}

StagePlan wafer_stage(const ModelFootprint& model, const WaferPlan& chain, std::size_t index, int entries,
                      const Device& device) {
  const Wafer& wafer = chain.wafers[index];
  StagePlan stage;
  stage.name = fmt::format("{} #{}", device.architecture, index + 1);
  stage.devices = {static_cast<int>(index)};
  const double latency = layer_latency(device).value() * static_cast<double>(wafer.layers.size());
  const double each = seconds_a_token(model, wafer, device);
  stage.decode_s = [latency, each](int sequences) { return latency + each * (sequences - 1); };
  stage.prefill_s = [latency, each](double tokens, double) { return latency + each * (tokens - 1); };
  const double activation = static_cast<double>(model.hidden) * 2 * model.boundary_factor;
  const BytesPerSecond link = value_or(device.io_bandwidth, BytesPerSecond(0));
  stage.hop_latency_s = entries * value_or(device.hop_latency, Seconds(0)).value();
  stage.hop_s_per_token = link.value() > 0 ? entries * activation / link.value() : 0;
  return stage;
}

ServingPlan wafer_serving(const Scenario& scenario, const WaferPlan& chain) {
  ServingPlan serving;
  const int users = std::max(1, static_cast<int>(scenario.workload.users));
  serving.sequences_max = users;
  serving.block_tokens = 1;
  serving.cache_tokens = std::floor(tokens_per_request(chain, users).value()) * users;
  serving.context_max = static_cast<int>(scenario.workload.context.value());
  serving.pass_tokens = std::max(kWaferPassTokens, users);
  serving.micro_batches = std::min(static_cast<int>(chain.wafers.size()), users);
  return serving;
}

double stage_s(const StagePlan& stage, int sequences) {
  return stage.decode_s(sequences) + stage.hop_latency_s + stage.hop_s_per_token * sequences;
}

Table micro_batch_table(const EnginePlan& plan, int requests_max, double megawatts) {
  Table table{"Micro-batch size",
              {{"micro_batch", "sequences"},
               {"in_flight", "requests"},
               {"tpot_ms", "ms"},
               {"tokens_per_s_a_user", "tokens/s"},
               {"tokens_per_s", "tokens/s"},
               {"tokens_per_s_per_mw", "tokens/s/MW"}},
              {}};
  for (const MicroBatchRow& row : micro_batch_rows(plan, requests_max)) {
    table.rows.push_back({static_cast<double>(row.sequences), row.in_flight, row.tpot_s * 1e3, 1 / row.tpot_s,
                          row.tokens_per_s, row.tokens_per_s / megawatts});
  }
  return table;
}

}  // namespace

std::vector<MicroBatchRow> micro_batch_rows(const EnginePlan& plan, int requests_max) {
  std::vector<MicroBatchRow> rows;
  const int stages = static_cast<int>(plan.stages.size());
  for (int size = 1; size <= requests_max; size *= 2) {
    const int groups = std::min(stages, requests_max / size);
    double way = plan.serving.overhead_s;
    double slowest = 0;
    for (const StagePlan& stage : plan.stages) {
      way += stage_s(stage, size);
      slowest = std::max(slowest, stage.decode_s(size));
    }
    const double tpot = std::max(way, groups * slowest);
    const double in_flight = static_cast<double>(groups) * size;
    rows.push_back({size, in_flight, tpot, in_flight / tpot});
    if (groups < stages) break;  // a larger micro-batch leaves more of the pipeline empty
  }
  return rows;
}

Result<SimulatedPlan> plan_wafer_chain(const Scenario& scenario, const ProfileLibrary& library) {
  const Device& device = *find(library.devices, scenario.wafers->device);
  if (!device.layer_latency) {
    return fail(fmt::format("{} has no layer_latency: its speed is unknown", device.name),
                "add it to the profile, with its source");
  }
  const Mixture* mixture = find_mixture(scenario.mixture);
  OBLEA_CHECK(mixture != nullptr, "the scenario reader checks quantisations");
  const ModelFootprint model = make_footprint(scenario.model, *mixture, scenario.cache());
  const WaferPlan chain = plan_wafers(
      model, device.memory.value,
      {.rule = find_wafer_rule(scenario.wafers->rule), .layers_per_wafer_max = scenario.wafers->layers_max});
  SimulatedPlan simulated;
  simulated.verdicts.push_back(wafer_fit_verdict(chain, scenario, device));
  simulated.provenance = provenance_of({&device}, scenario.model, nullptr, library.prices);
  if (simulated.verdicts.front().answer != Answer::yes) return simulated;
  EnginePlan plan;
  const std::vector<int> entries = wafer_entries(chain, static_cast<int>(model.layers.size()));
  for (std::size_t w = 0; w < chain.wafers.size(); ++w) {
    plan.stages.push_back(wafer_stage(model, chain, w, entries[w], device));
  }
  plan.devices = static_cast<int>(chain.wafers.size());
  plan.serving = wafer_serving(scenario, chain);
  const Prediction token = wafer_decode_step(device, 1, 1, 1, Bytes(0)).token;
  simulated.low = {.decode = token.low / token.value, .prefill = token.low / token.value};
  simulated.high = {.decode = token.high / token.value, .prefill = token.high / token.value};
  const double room = tokens_per_request(chain, 1).value() / scenario.workload.context.value();
  const int requests_max = static_cast<int>(std::min(chain.requests_max, std::floor(room)));
  simulated.megawatts = device.tdp.value.value() * plan.devices / 1e6;
  simulated.megawatts_spread = device.tdp.is_estimate() ? 0.3 : 0.1;
  simulated.tables.push_back(micro_batch_table(plan, requests_max, simulated.megawatts));
  const int hops = std::accumulate(entries.begin(), entries.end(), 0);
  simulated.notes.push_back(token_way_words(plan, static_cast<int>(model.layers.size()), hops));
  simulated.notes.push_back(
      "a wafer's second token in a pass costs its operations at 0.3 of the dense 16-bit peak: an estimate; its prompts "
      "are not measured anywhere");
  simulated.fleet = fleet_of(plan);
  return simulated;
}

}  // namespace oblea
