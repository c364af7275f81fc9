#include "study/simulate_rows.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

#include <fmt/core.h>

#include "study/fleet_times.hpp"
#include "study/run_figures.hpp"

namespace oblea {
namespace {

constexpr double kEdges = 1.0 / 8;        // by which the capacity may be low
constexpr std::size_t kStagesShown = 16;  // of a longer chain, the busiest
constexpr double kGainOfABottleneck = 0.02;

}  // namespace

Table request_time_table(const EngineResult& result) {
  double queue = 0, prompt = 0, answer = 0, finished = 0;
  for (const RequestResult& r : result.requests) {
    if (r.outcome != Outcome::finished) continue;
    queue += r.admitted_s - r.arrival_s;
    prompt += r.first_token_s - r.admitted_s;
    answer += r.finished_s - r.first_token_s;
    finished += 1;
  }
  Table table{"Where a request's time goes", {{"part", ""}, {"mean_s", "s"}, {"share_percent", "%"}}, {}};
  const double all = queue + prompt + answer;
  if (finished == 0 || all <= 0) return table;
  const std::pair<const char*, double> parts[] = {
      {"queue", queue}, {"prompt, until the first token", prompt}, {"answer", answer}};
  for (const auto& [name, seconds] : parts) table.rows.push_back({name, seconds / finished, 100 * seconds / all});
  return table;
}

Table stage_time_table(const FleetPlan& fleet, const EngineResult& result) {
  Table table{"Where the run's time goes",
              {{"stage", ""},
               {"compute_s", "s"},
               {"network_s", "s"},
               {"overhead_s", "s"},
               {"idle_s", "s"},
               {"busy_percent", "%"}},
              {}};
  const std::vector<Lane> lanes = lanes_of(fleet, result.end_s);
  const double overhead = result.overhead_s / static_cast<double>(fleet.replicas.size());
  std::vector<std::size_t> shown(std::min(lanes.size(), result.stage_work_s.size()));
  std::iota(shown.begin(), shown.end(), 0);
  if (shown.size() > kStagesShown) {
    const auto busier = [&](std::size_t a, std::size_t b) { return result.stage_work_s[a] > result.stage_work_s[b]; };
    std::stable_sort(shown.begin(), shown.end(), busier);
    shown.resize(kStagesShown);
    table.name += fmt::format(" (the {} busiest of {} stages)", kStagesShown, lanes.size());
  }
  for (const std::size_t i : shown) {
    const double work = result.stage_work_s[i];
    const double network = result.stage_network_s[i];
    const double end = lanes[i].alive_s;
    const double idle = std::max(0.0, end - work - network - overhead);
    table.rows.push_back({lanes[i].name, work, network, overhead, idle, end > 0 ? 100 * work / end : 0.0});
  }
  return table;
}

Table relief_table(const std::vector<Relief>& reliefs) {
  Table table{"What would help", {{"change", ""}, {"mean_request_s", "s"}, {"shorter_by_percent", "%"}}, {}};
  if (!reliefs.empty() && reliefs.front().gain >= kGainOfABottleneck) {
    table.name = fmt::format("What would help: the bottleneck is {}", reliefs.front().resource);
  }
  for (const Relief& relief : reliefs) table.rows.push_back({relief.words, relief.request_s, 100 * relief.gain});
  return table;
}

void add_load(Report& report, const Load& load, const SimulatedPlan& simulated) {
  const auto [fast, slow] = std::pair{std::min(simulated.low.decode, simulated.low.prefill),
                                      std::max(simulated.high.decode, simulated.high.prefill)};
  report.metrics.push_back(exact_metric("offered_requests_per_s", load.offered_per_s, "requests/s"));
  report.metrics.push_back(make_metric("capacity_requests_per_s", load.capacity_per_s, "requests/s",
                                       load.capacity_per_s / slow, load.capacity_per_s / fast * (1 + kEdges),
                                       simulated.origin));
  const double share = load.offered_per_s / load.capacity_per_s;
  const std::string words = fmt::format("{:.3g} requests a second come, {:.3g} can be served ({:.0f} %)",
                                        load.offered_per_s, load.capacity_per_s, 100 * share);
  if (share > 1) {
    report.verdicts.push_back({"overloaded", Answer::no, words + ": the queue grows for as long as they come"});
  } else if (share > 0.9) {
    report.verdicts.push_back({"load-tight", Answer::tight, words});
  } else {
    report.verdicts.push_back({"load", Answer::yes, words});
  }
}

void add_run_verdicts(std::vector<Verdict>& verdicts, const EngineResult& result, const Slo& slo) {
  const double rejected = count_of(result, Outcome::rejected);
  if (rejected > 0) {
    verdicts.push_back({"rejected-requests", Answer::no,
                        fmt::format("{} of {} requests are longer than a request's context or than all of the cache",
                                    rejected, result.requests.size())});
  }
  if (!has_bound(slo)) return;
  const double share = goodput_share(result, slo);
  const std::string words =
      fmt::format("{:.3g} % of the requests meet the objective, {:.3g} % should", 100 * share, 100 * slo.share);
  verdicts.push_back({share >= slo.share ? "slo" : "slo-missed", share >= slo.share ? Answer::yes : Answer::no, words});
}

}  // namespace oblea
