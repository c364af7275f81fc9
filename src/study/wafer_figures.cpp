#include "study/wafer_figures.hpp"

#include <algorithm>
#include <numeric>

#include <fmt/core.h>

#include "base/check.hpp"

namespace oblea {
namespace {

double sum(const std::vector<double>& seconds) { return std::accumulate(seconds.begin(), seconds.end(), 0.0); }

const Metric& metric_of(const std::vector<Metric>& metrics, const char* name) {
  const Metric* metric = find_metric(metrics, name);
  OBLEA_CHECK(metric != nullptr, "the figures of a run are there");
  return *metric;
}

}  // namespace

std::string token_way_words(const EnginePlan& plan, int layers, int hops) {
  double work = 0, moving = 0, slowest = 0;
  for (const StagePlan& stage : plan.stages) {
    work += stage.decode_s(1);
    moving += stage.hop_latency_s + stage.hop_s_per_token;
    slowest = std::max(slowest, stage.decode_s(1));
  }
  return fmt::format(
      "{}{} layers {:.1f} us + {} hops {:.1f} us = {:.1f} us; the slowest wafer takes {:.1f} us, {} in "
      "turn {:.1f} us",
      kTokenWay, layers, work * 1e6, hops, moving * 1e6, (work + moving) * 1e6, slowest * 1e6, plan.stages.size(),
      slowest * 1e6 * static_cast<double>(plan.stages.size()));
}

void add_wafer_figures(std::vector<Metric>& metrics, const SimulatedPlan& simulated, const EngineResult& result) {
  const Metric tpot = metric_of(metrics, "tpot_mean_s");
  const Metric tokens = metric_of(metrics, "throughput_tokens_per_s");
  if (tpot.low > 0) {
    metrics.push_back(make_metric("decode_tokens_per_s", 1 / tpot.value, "tokens/s a user", 1 / tpot.high, 1 / tpot.low,
                                  simulated.origin));
  }
  const double hops = sum(result.stage_network_s);
  const double work = sum(result.stage_work_s);
  const auto share = [&](double factor) { return hops > 0 ? 100 * hops / (hops + work * factor) : 0; };
  metrics.push_back(make_metric("hop_share_percent", share(1), "%", share(simulated.high.decode),
                                share(simulated.low.decode), simulated.origin));
  const double power = simulated.megawatts;
  const double spread = simulated.megawatts_spread;
  metrics.push_back(make_metric("power_mw", power, "MW", power * (1 - spread), power * (1 + spread), Origin::estimate));
  metrics.push_back(make_metric("tokens_per_s_per_mw", tokens.value / power, "tokens/s/MW",
                                tokens.low / (power * (1 + spread)), tokens.high / (power * (1 - spread)),
                                Origin::estimate));
}

}  // namespace oblea
