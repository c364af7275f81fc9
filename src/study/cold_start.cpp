#include "study/cold_start.hpp"

#include <algorithm>

#include <fmt/core.h>

#include "study/engine_start.hpp"
#include "study/loading_plan.hpp"

namespace oblea {
namespace {

// The plan with all resources at one end of their bands.
TransferPlan at_end(const LoadingPlan& plan, BytesPerSecond BandedRate::*end) {
  TransferPlan transfers = plan.transfers;
  for (std::size_t r = 0; r < plan.rates.size(); ++r) transfers.resources[r].bytes_per_s = (plan.rates[r].*end).value();
  return transfers;
}

std::vector<double> box_ends(const LoadingPlan& plan, const TransferTimes& times) {
  std::vector<double> ends(plan.boxes.size(), 0);
  for (std::size_t i = 0; i < plan.box_of.size(); ++i) {
    double& end_s = ends[static_cast<std::size_t>(plan.box_of[i])];
    end_s = std::max(end_s, times.end_s[i]);
  }
  return ends;
}

// Of what a box's bytes pass through, the resource that needs longest for all that it carries.
std::string paced_by(const LoadingPlan& plan, const TransferTimes& times, std::size_t box) {
  std::string name;
  double longest = 0;
  for (std::size_t i = 0; i < plan.box_of.size(); ++i) {
    if (static_cast<std::size_t>(plan.box_of[i]) != box) continue;
    for (const int r : plan.transfers.transfers[i].path) {
      const auto at = static_cast<std::size_t>(r);
      const double seconds = times.bytes[at] / plan.transfers.resources[at].bytes_per_s;
      if (seconds <= longest) continue;
      longest = seconds;
      name = plan.transfers.resources[at].name;
    }
  }
  return name;
}

Table loading_table(const LoadingPlan& plan, const TransferTimes& times, const std::vector<double>& ends) {
  Table table{"loading",
              {{"box", ""}, {"from", ""}, {"paced_by", ""}, {"weights_gb", "GB"}, {"read_gb", "GB"}, {"loaded_s", "s"}},
              {}};
  for (std::size_t b = 0; b < plan.boxes.size(); ++b) {
    const BoxLoading& box = plan.boxes[b];
    if (box.weights_bytes <= 0) continue;
    table.rows.push_back(
        {box.name, box.from, paced_by(plan, times, b), box.weights_bytes / 1e9, box.read_bytes / 1e9, ends[b]});
  }
  return table;
}

// A page cache cannot hold more than the RAM that it lives in.
void note_page_cache(ColdStart& start, const Scenario& scenario, const PlacedCluster& placed, const LoadingPlan& plan) {
  if (!scenario.storage->in_page_cache) return;
  for (std::size_t b = 0; b < plan.boxes.size(); ++b) {
    const Bytes ram = placed.machine.boxes[b].ram_bytes;
    if (plan.boxes[b].read_bytes <= ram.value()) continue;
    start.notes.push_back(fmt::format("{}: {:.0f} GB do not stay in the page cache of {:.0f} GB of RAM",
                                      plan.boxes[b].name, plan.boxes[b].read_bytes / 1e9, ram.value() / 1e9));
  }
}

}  // namespace

Result<ColdStart> cold_start(const Scenario& scenario, const PlacedCluster& placed, const ProfileLibrary& library) {
  const Result<LoadingPlan> plan = make_loading_plan(scenario, placed, library);
  if (!plan) return fail(plan.error());
  const Result<TransferTimes> times = run_transfers(plan->transfers);
  const Result<TransferTimes> fast = run_transfers(at_end(*plan, &BandedRate::high));
  const Result<TransferTimes> slow = run_transfers(at_end(*plan, &BandedRate::low));
  for (const Result<TransferTimes>* run : {&times, &fast, &slow})
    if (!*run) return fail(run->error());
  const Banded<Seconds> engine = engine_start(scenario.engine);
  const auto last = [&](const TransferTimes& run) {
    const std::vector<double> ends = box_ends(*plan, run);
    return *std::max_element(ends.begin(), ends.end());
  };
  ColdStart start;
  start.ready_s = last(*times) + engine.value.value();
  start.low_s = last(*fast) + engine.low.value();
  start.high_s = last(*slow) + engine.high.value();
  const std::vector<double> ends = box_ends(*plan, *times);
  for (const double end_s : ends) start.box_ready_s.push_back(end_s + engine.value.value());
  start.table = loading_table(*plan, *times, ends);
  start.notes.push_back(fmt::format("loading: weights in {:.1f} s, then {:.0f} s of starting the engine (estimate)",
                                    last(*times), engine.value.value()));
  note_page_cache(start, scenario, placed, *plan);
  return start;
}

}  // namespace oblea
