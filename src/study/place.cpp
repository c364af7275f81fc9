#include "study/place.hpp"

#include <algorithm>

#include <fmt/core.h>

#include "study/claims.hpp"
#include "study/launch_lines.hpp"
#include "study/machine_bill.hpp"
#include "study/machine_power.hpp"
#include "study/place_options.hpp"
#include "study/place_wafers.hpp"
#include "study/placed_cluster.hpp"
#include "study/power_rows.hpp"
#include "study/provenance.hpp"
#include "study/report_rows.hpp"
#include "study/speed.hpp"
#include "study/split_gain.hpp"
#include "units/print.hpp"

namespace oblea {
namespace {

void add_memory_metrics(std::vector<Metric>& metrics, const Scenario& scenario, const ModelFootprint& model,
                        const PlanningDevices& planning, bool fits) {
  const Bytes cache = request_bytes(model, scenario.workload.context) * scenario.workload.users;
  metrics.push_back(exact_metric("fits", fits ? 1 : 0, "yes/no", Origin::estimate));
  metrics.push_back(weights_metric(model.weights()));
  metrics.push_back(exact_metric("kv_gib", cache / kGiB, "GiB"));
  metrics.push_back(exact_metric("installed_memory_gib", planning.installed() / kGiB, "GiB"));
  // What an engine keeps on a card is known within a quarter of a GiB.
  const double usable = planning.usable() / kGiB;
  const double slack = 0.25 * static_cast<double>(planning.accelerators);
  metrics.push_back(make_metric("usable_memory_gib", usable, "GiB", usable - slack,
                                std::min(usable + slack, planning.installed() / kGiB), Origin::estimate));
  Bytes smallest = planning.placement.front().capacity;
  for (const PlacementDevice& device : planning.cards()) smallest = std::min(smallest, device.capacity);
  metrics.push_back(
      exact_metric("tensor_parallel_memory_gib", smallest * static_cast<double>(planning.accelerators) / kGiB, "GiB"));
}

std::string default_question(const Scenario& scenario) {
  return fmt::format("Where does {} at {} go, for {:.0f} users with {} tokens of context?", scenario.model.name,
                     mixture_words(scenario.mixture, scenario.model), scenario.workload.users,
                     print_count(scenario.workload.context.value()));
}

// Attention kernels of a usual build read f16, q8_0 and q4_0, K and V alike; others go through a slow path (llama.cpp
// issue 27109: 34 tokens/s of prefill with q4_1 and q4_0 on an RTX 3090).
bool has_usual_cache(const KvFormats& cache) {
  const bool usual =
      cache.k == KvFormat::f16 || cache.k == KvFormat::bf16 || cache.k == KvFormat::q8_0 || cache.k == KvFormat::q4_0;
  return usual && cache.k == cache.v;
}

void add_notes(Report& report, const Scenario& scenario, const PlacedCluster& placed) {
  report.notes.push_back(
      fmt::format("speed at a context of {} tokens (prompt and half the answer), prompts read one at a time",
                  print_count(prompt_length(scenario.workload).value() + scenario.workload.output.value() / 2)));
  if (placed.placement() != nullptr && placed.speed.estimated) {
    report.notes.push_back(
        "the timing model is fitted on llama.cpp; for this engine its kernels are taken as equal and 1 to 4 ms a step "
        "are added for scheduling: an estimate");
  }
  if (scenario.engine.kind == Engine::llama_cpp && !has_usual_cache(scenario.cache())) {
    report.notes.push_back(fmt::format(
        "a cache of {} and {} is read fast only by a build with all flash-attention kernels (GGML_CUDA_FA_ALL_QUANTS); "
        "another may prefill ten times slower: the speed here is not promised for it",
        kv_format_name(scenario.cache().k), kv_format_name(scenario.cache().v)));
  }
  for (const Box& box : placed.machine.boxes) {
    if (box.psu == nullptr && !box.host->psu_included) {
      report.notes.push_back(
          fmt::format("{} names no supply: none is judged, and its loss is taken as 12 %", box.host->name));
      break;
    }
  }
}

Result<Report> place_cluster(const Scenario& scenario, const ProfileLibrary& library, const TimingParameters& timing) {
  const Result<PlacedCluster> placed = place_on_cluster(scenario, library, timing);
  if (!placed) return fail(placed.error());
  const Machine& machine = placed->machine;
  const ModelFootprint& model = placed->model;
  const PlanningDevices& planning = placed->planning;
  const std::vector<PlannedSplit>& splits = placed->splits;
  const MachineLinks& links = placed->links;
  const Placement* chosen = placed->placement();

  Report report;
  report.command = "place";
  report.question = scenario.question.empty() ? default_question(scenario) : scenario.question;
  report.verdicts.push_back(memory_verdict(scenario, *placed));
  add_memory_metrics(report.metrics, scenario, model, planning, chosen != nullptr);
  BusyShares busy;
  if (chosen != nullptr) {
    const Placement& placement = *chosen;
    report.placement = device_rows(placement, planning);
    report.tables.push_back(engine_table(placement, planning));
    if (auto gain = split_gain_words(placement, LayerLoads(model, placed->demand), planning)) {
      report.notes.push_back(std::move(*gain));
    }
    if (std::optional<Verdict> spill = spill_verdict(placement, planning)) report.verdicts.push_back(std::move(*spill));
    add_capacity_metrics(report.metrics, placement, model, planning.accelerators, scenario);
    add_speed_metrics(report.metrics, placed->speed);
    add_link_metrics(report.metrics, links);
    add_link_rows(report.metrics, report.verdicts, machine, placement, placed->speed, library);
    LaunchLines launch = launch_lines(placement, planning, scenario);
    report.launch = std::move(launch.lines);
    if (!launch.why_none.empty()) report.notes.push_back("no launch line: " + launch.why_none);
    busy = placed->speed.busy;
  }
  add_split_options(report.options, splits, scenario, model, planning, links, timing);
  const std::vector<MixtureFootprint> mixtures = runnable_footprints(scenario);
  add_card_count_options(report.options, mixtures, scenario, planning, links, timing);
  add_mixture_options(report.options, mixtures, scenario, planning, links, timing);
  const MachinePower power = assess_power(machine, busy, shared_work(chosen, scenario.draft.has_value()),
                                          mains_of(scenario.site, cooling_watts(scenario, library)));
  add_power_metrics(report.metrics, power);
  add_energy_metrics(report.metrics, power, chosen == nullptr ? nullptr : &placed->speed, scenario.site, library);
  add_power_verdicts(report.verdicts, machine, power);
  add_cooling(report, scenario, library, machine, power);
  std::vector<std::string> unpriced;
  report.bill = make_bill(machine, library, scenario.site.currency, true, unpriced);
  if (const auto total = bill_total(*report.bill)) {
    report.metrics.push_back(make_metric("price", total->value.amount,
                                         std::string(currency_code(scenario.site.currency)), total->low.amount,
                                         total->high.amount, Origin::estimate));
  }
  for (const std::string& id : unpriced)
    report.notes.push_back(fmt::format("no price for {}: it is not in the bill", id));
  add_notes(report, scenario, *placed);
  report.provenance = provenance_of(planning.devices, scenario.model, &timing, library.prices);
  return report;
}

}  // namespace

Result<Report> place_scenario(const Scenario& scenario, const ProfileLibrary& library, const TimingParameters& timing) {
  if (!scenario.wafers && scenario.cluster.nodes.empty()) {
    return fail("the scenario has neither \"cluster\" nor \"wafers\": there is nothing to place the model on",
                "describe the boxes in cluster.nodes, or ask oblea size which to buy");
  }
  Result<Report> report = scenario.wafers ? place_wafers(scenario, library) : place_cluster(scenario, library, timing);
  if (!report) return report;
  report->version = OBLEA_VERSION;
  report->input_hash = scenario.input_hash;
  report->profiles_hash = library.content_hash;
  return report;
}

Result<Report> run_place(const Scenario& scenario, const ProfileLibrary& library, const TimingParameters& timing) {
  Result<Report> report = place_scenario(scenario, library, timing);
  if (!report) return report;
  Result<std::vector<ClaimRow>> claims = check_claims(
      scenario, *report, [&](const Scenario& variant) { return place_scenario(variant, library, timing); });
  if (!claims) return fail(claims.error());
  report->claims = std::move(*claims);
  return report;
}

}  // namespace oblea
