#include "study/fleet_rows.hpp"

#include <algorithm>

#include <fmt/core.h>

#include "study/fleet_times.hpp"
#include "workload/slo.hpp"

namespace oblea {
namespace {

constexpr std::size_t kChangesTold = 8;

double percent(double part, double whole) { return whole > 0 ? 100 * part / whole : 0; }

double count_retried(const EngineResult& result) {
  return static_cast<double>(std::count_if(result.requests.begin(), result.requests.end(),
                                           [](const RequestResult& r) { return r.retries > 0; }));
}

double down_s(const EngineResult& result) {
  double sum = 0;
  for (const double seconds : result.replica_down_s) sum += seconds;
  return sum;
}

std::string name_of(const Replica& replica, const char* only) { return replica.name.empty() ? only : replica.name; }

// What becomes of the replica; `next_s`: when it changes again, below 0: never.
std::string outcome_words(const FleetChange& change, const std::string& replica, double next_s) {
  if (!change.part.empty()) {
    return fmt::format("{} goes on with {}, planned anew, and serves from {:.6g} s", replica, change.part,
                       change.ready_s);
  }
  const std::string until = next_s < 0 ? "for good" : fmt::format("until {:.6g} s", next_s);
  return fmt::format("what is left of {} does not hold the model ({}): down {}", replica, change.why_none, until);
}

}  // namespace

Table replica_table(const FleetPlan& fleet, const EngineResult& result) {
  Table table{"Replicas", {{"replica", ""}, {"answered", "requests"}, {"down_s", "s"}, {"busy_percent", "%"}}, {}};
  const std::size_t count = fleet.replicas.size();
  std::vector<double> answered(count), work(count), alive(count);
  for (const RequestResult& r : result.requests) {
    if (r.outcome == Outcome::finished) answered[static_cast<std::size_t>(r.replica)] += 1;
  }
  const std::vector<Lane> lanes = lanes_of(fleet, result.end_s);
  for (std::size_t lane = 0; lane < lanes.size(); ++lane) {
    const auto replica = static_cast<std::size_t>(lanes[lane].replica);
    work[replica] += result.stage_work_s[lane];
    alive[replica] += lanes[lane].alive_s;
  }
  for (std::size_t r = 0; r < count; ++r) {
    table.rows.push_back({name_of(fleet.replicas[r], "the only one"), answered[r], result.replica_down_s[r],
                          percent(work[r], alive[r])});
  }
  return table;
}

std::vector<Figure> failure_figures(const FleetPlan& fleet, const EngineResult& result) {
  const double end = result.end_s;
  return {{"availability_percent", "%", percent(available_s(fleet, end), end)},
          {"outage_percent", "%", percent(outage_s(fleet, end), end)},
          {"retried_requests", "requests", count_retried(result)},
          {"lost_requests", "requests", count_of(result, Outcome::lost)}};
}

std::vector<Figure> handover_figures(const EngineResult& result) {
  const double finished = count_of(result, Outcome::finished);
  const double each = finished > 0 ? result.handover_s / finished : 0;
  return {{"handover_percent", "%", percent(result.handover_s, result.end_s)}, {"handover_mean_s", "s", each}};
}

Table failure_cost_table(const FleetPlan& fleet, const EngineResult& without, const EngineResult& with) {
  Table table{"What failures cost", {{"figure", ""}, {"without", ""}, {"with", ""}}, {}};
  const std::vector<Figure> before = run_figures(fleet, without, {});
  const std::vector<Figure> after = run_figures(fleet, with, {});
  for (std::size_t i = 0; i < before.size(); ++i) {
    const std::string& name = before[i].name;
    if (name != "ttft_p99_s" && name != "e2e_mean_s" && name != "duration_s") continue;
    table.rows.push_back({name, before[i].value, after[i].value});
  }
  const auto read = [](const EngineResult& r) { return static_cast<double>(r.prompt_tokens); };
  table.rows.push_back({"replicas_down_s", down_s(without), down_s(with)});
  table.rows.push_back({"retried_requests", 0.0, count_retried(with)});
  table.rows.push_back({"lost_requests", 0.0, count_of(with, Outcome::lost)});
  table.rows.push_back({"prompt_tokens_read", read(without), read(with)});
  table.rows.push_back({"answer_tokens_discarded", 0.0, static_cast<double>(with.discarded_tokens)});
  return table;
}

void add_failure_verdicts(std::vector<Verdict>& verdicts, const FleetPlan& fleet, const EngineResult& result) {
  const double end = result.end_s;
  const double out = outage_s(fleet, end);
  const double idle = end - available_s(fleet, end);
  const double negligible = 1e-9 * end;
  if (out > negligible) {
    verdicts.push_back(
        {"outage", Answer::no,
         fmt::format("for {:.4g} s of {:.4g} s what is left holds the model nowhere; with detection and loading nobody "
                     "serves for {:.4g} s",
                     out, end, idle)});
  } else if (idle > negligible) {
    verdicts.push_back(
        {"interrupted", Answer::tight,
         fmt::format("nobody serves for {:.4g} s of {:.4g} s, while failures are noticed and weights are "
                     "loaded",
                     idle, end)});
  } else {
    verdicts.push_back({"available", Answer::yes, "at least one replica serves all the time"});
  }
  if (const double lost = count_of(result, Outcome::lost); lost > 0) {
    verdicts.push_back(
        {"lost-requests", Answer::no, fmt::format("{:.0f} of {} requests are lost", lost, result.requests.size())});
  }
}

std::vector<std::string> change_notes(const PlannedFleet& planned, double end_s) {
  std::vector<std::string> notes;
  std::size_t untold = 0;
  for (std::size_t i = 0; i < planned.changes.size(); ++i) {
    const FleetChange& change = planned.changes[i];
    if (change.at_s >= end_s) break;
    if (notes.size() >= kChangesTold) {
      ++untold;
      continue;
    }
    const auto next = std::find_if(planned.changes.begin() + static_cast<std::ptrdiff_t>(i) + 1, planned.changes.end(),
                                   [&](const FleetChange& other) { return other.replica == change.replica; });
    const std::string name = name_of(planned.fleet.replicas[static_cast<std::size_t>(change.replica)], "the cluster");
    notes.push_back(fmt::format("from {:.6g} s: {}; {}", change.at_s, change.what,
                                outcome_words(change, name, next == planned.changes.end() ? -1 : next->ready_s)));
  }
  if (untold > 0) notes.push_back(fmt::format("and {} more changes of replicas after that", untold));
  return notes;
}

}  // namespace oblea
