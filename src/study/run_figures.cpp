#include "study/run_figures.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include <fmt/core.h>

#include "base/check.hpp"
#include "study/fleet_times.hpp"

namespace oblea {
namespace {

double mean(const std::vector<double>& values) {
  if (values.empty()) return 0;
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

double ttft(const RequestResult& r) { return r.first_token_s - r.arrival_s; }
double tpot(const RequestResult& r) { return (r.finished_s - r.first_token_s) / (r.output_tokens - 1); }
double e2e(const RequestResult& r) { return r.finished_s - r.arrival_s; }

bool meets(const RequestResult& r, const Slo& slo) {
  if (r.outcome != Outcome::finished) return false;
  if (slo.ttft_s > 0 && ttft(r) > slo.ttft_s) return false;
  if (slo.e2e_s > 0 && e2e(r) > slo.e2e_s) return false;
  return slo.tpot_s <= 0 || r.output_tokens < 2 || tpot(r) <= slo.tpot_s;
}

void add_distribution(std::vector<Figure>& figures, const std::string& name, std::vector<double> samples) {
  std::sort(samples.begin(), samples.end());
  figures.push_back({name + "_mean_s", "s", mean(samples)});
  for (const int percent : {50, 90, 95, 99}) {
    const double value = samples.empty() ? 0 : percentile(samples, percent);
    figures.push_back({fmt::format("{}_p{}_s", name, percent), "s", value});
  }
}

// Of the time for which the lanes exist.
double share_of(const std::vector<double>& seconds, const std::vector<Lane>& lanes, double end) {
  double alive = 0;
  for (const Lane& lane : lanes) alive += end > 0 ? lane.alive_s / end : 0;
  return alive > 0 ? 100 * (std::accumulate(seconds.begin(), seconds.end(), 0.0) / alive) / end : 0;
}

double largest_room(const FleetPlan& fleet) {
  double room = 0;
  for (const EnginePlan* plan : plans_of(fleet)) room = std::max(room, plan->serving.cache_tokens);
  return room;
}

bool loads(const FleetPlan& fleet) {
  return std::any_of(fleet.replicas.begin(), fleet.replicas.end(),
                     [](const Replica& replica) { return replica.phases.front().ready_s > 0; });
}

// Of whoever is answered first; 0 where nobody is.
double first_answer_s(const EngineResult& result) {
  double first = 0;
  for (const RequestResult& r : result.requests) {
    if (r.outcome == Outcome::finished && (first == 0 || r.first_token_s < first)) first = r.first_token_s;
  }
  return first;
}

}  // namespace

double percentile(const std::vector<double>& sorted, double percent) {
  OBLEA_CHECK(!sorted.empty() && percent > 0 && percent <= 100, "a percentile of something");
  const double rank = std::ceil(percent * static_cast<double>(sorted.size()) / 100);
  return sorted[static_cast<std::size_t>(std::max(rank, 1.0)) - 1];
}

double count_of(const EngineResult& result, Outcome outcome) {
  return static_cast<double>(std::count_if(result.requests.begin(), result.requests.end(),
                                           [&](const RequestResult& r) { return r.outcome == outcome; }));
}

double goodput_share(const EngineResult& result, const Slo& slo) {
  if (result.requests.empty()) return 0;
  const auto good = std::count_if(result.requests.begin(), result.requests.end(),
                                  [&](const RequestResult& r) { return meets(r, slo); });
  return static_cast<double>(good) / static_cast<double>(result.requests.size());
}

double mean_request_s(const EngineResult& result) {
  std::vector<double> times;
  for (const RequestResult& r : result.requests) {
    if (r.outcome == Outcome::finished) times.push_back(e2e(r));
  }
  return mean(times);
}

std::vector<Figure> run_figures(const FleetPlan& fleet, const EngineResult& result, const Slo& slo) {
  std::vector<double> first, each, whole;
  for (const RequestResult& r : result.requests) {
    if (r.outcome != Outcome::finished) continue;
    first.push_back(ttft(r));
    whole.push_back(e2e(r));
    if (r.output_tokens > 1) each.push_back(tpot(r));
  }
  const double finished = static_cast<double>(whole.size());
  const double end = result.end_s;
  const auto rate = [&](double count) { return end > 0 ? count / end : 0; };
  const std::vector<Lane> lanes = lanes_of(fleet, end);
  std::vector<Figure> figures;
  add_distribution(figures, "ttft", std::move(first));
  add_distribution(figures, "tpot", std::move(each));
  add_distribution(figures, "e2e", std::move(whole));
  if (loads(fleet)) figures.push_back({"first_answer_s", "s", first_answer_s(result)});
  const double good = goodput_share(result, slo);
  figures.push_back({"throughput_tokens_per_s", "tokens/s", rate(static_cast<double>(result.output_tokens))});
  figures.push_back({"requests_per_s", "requests/s", rate(finished)});
  figures.push_back({"goodput_percent", "%", 100 * good});
  figures.push_back({"goodput_requests_per_s", "requests/s", rate(good * static_cast<double>(result.requests.size()))});
  figures.push_back({"duration_s", "s", end});
  figures.push_back({"requests_in_system_mean", "requests", rate(result.requests_in_system_s)});
  figures.push_back({"finished_requests", "requests", finished});
  figures.push_back({"rejected_requests", "requests", count_of(result, Outcome::rejected)});
  figures.push_back({"preemptions", "times", static_cast<double>(result.preemptions)});
  figures.push_back({"stage_busy_percent", "%", share_of(result.stage_work_s, lanes, end)});
  figures.push_back({"stage_network_percent", "%", share_of(result.stage_network_s, lanes, end)});
  const auto busiest = std::max_element(result.link_bytes_s.begin(), result.link_bytes_s.end());
  const double link = busiest == result.link_bytes_s.end() ? 0 : *busiest;
  figures.push_back({"link_use_percent", "%", end > 0 ? 100 * link / end : 0});
  figures.push_back({"cache_tokens_peak", "tokens", result.cache_tokens_peak});
  const double room = largest_room(fleet);
  figures.push_back({"cache_peak_percent", "%", room > 0 ? 100 * result.cache_tokens_peak / room : 0});
  return figures;
}

}  // namespace oblea
