#include "study/size.hpp"

#include <algorithm>
#include <set>

#include <fmt/core.h>

#include "base/check.hpp"
#include "study/build_machine.hpp"
#include "study/machine_bill.hpp"
#include "study/power_rows.hpp"
#include "study/provenance.hpp"
#include "study/report_rows.hpp"
#include "study/size_search.hpp"
#include "units/print.hpp"

namespace oblea {
namespace {

constexpr double kBudgetGrowth = 1.25;  // steps in which a larger budget is tried when nothing fits
constexpr int kBudgetSteps = 12;
constexpr std::size_t kLostMax = 12;

struct Sized {
  SizeParts parts;
  SizeOutcome outcome;
  std::vector<BuildCandidate> front;  // best first
  Scenario scenario;                  // with the budget that was needed
};

bool ranks_before(const BuildCandidate& a, const BuildCandidate& b, const std::string& by) {
  if (by == "price") return a.price != b.price ? a.price < b.price : sure_speed(a) > sure_speed(b);
  if (by == "watts") return a.wall_decode != b.wall_decode ? a.wall_decode < b.wall_decode : a.price < b.price;
  if (by == "value") return sure_speed(a) / std::max(a.price, 1.0) > sure_speed(b) / std::max(b.price, 1.0);
  return sure_speed(a) != sure_speed(b) ? sure_speed(a) > sure_speed(b) : a.price < b.price;
}

Result<Sized> search(const Scenario& scenario, const ProfileLibrary& library, const TimingParameters& timing) {
  Sized sized;
  sized.scenario = scenario;
  Machine owned;
  if (scenario.size.have) {
    Scenario described = scenario;
    described.cluster = {};
    described.cluster.nodes = {*scenario.size.have};
    Result<Machine> machine = build_machine(described, library);
    if (!machine) return fail(machine.error());
    owned = std::move(*machine);
    Box& box = owned.boxes.front();
    box.owned = true;
    box.owned_devices = static_cast<int>(box.devices.size());
    box.owned_psu = box.psu != nullptr;
  }
  sized.parts = collect_parts(scenario, library);
  sized.outcome = search_builds(scenario, library, sized.parts, timing, scenario.size.have ? &owned : nullptr);
  sized.front = pareto_front(sized.outcome.candidates, sized.parts);
  const auto before = [&](const BuildCandidate& a, const BuildCandidate& b) {
    return ranks_before(a, b, scenario.size.rank_by);
  };
  std::stable_sort(sized.front.begin(), sized.front.end(), before);
  return sized;
}

// What people call it: "RTX 3090" for "NVIDIA GeForce RTX 3090".
std::string short_name(std::string name) {
  for (const char* maker : {"NVIDIA GeForce ", "NVIDIA ", "AMD Radeon ", "AMD Instinct ", "AMD ", "Intel "}) {
    if (name.starts_with(maker)) return name.substr(std::string_view(maker).size());
  }
  return name;
}

// A host by board and CPU, without the rest of its description.
std::string short_host(const std::string& name) {
  const std::size_t first = name.find(", ");
  const std::size_t second = first == std::string::npos ? first : name.find(", ", first + 2);
  return name.substr(0, second);
}

std::string cards_words(const CardSet& set, bool used) {
  if (set.per_box == 0) return "nothing added";
  if (set.soc_host != nullptr)
    return fmt::format("{}{}", set.boxes > 1 ? fmt::format("{}x ", set.boxes) : "", short_host(set.soc_host->name));
  std::string text = fmt::format("{}x {}{}", set.per_box, short_name(set.device->name), used ? " (used)" : "");
  if (set.boxes > 1) text = fmt::format("{} boxes, each {}", set.boxes, text);
  return set.adds_to_owned ? "add " + text : text;
}

bool is_used(const ProfileLibrary& library, const CardSet& set, bool allow_used) {
  if (set.device == nullptr) return false;
  const Price* price = find_price(library.prices, set.device->id, allow_used);
  return price != nullptr && price->condition == Condition::used;
}

std::string build_name(const BuildCandidate& build, const Sized& sized, const ProfileLibrary& library) {
  const CardSet& set = sized.parts.sets[build.set];
  std::string text = cards_words(set, is_used(library, set, sized.scenario.size.allow_used));
  if (set.soc_host == nullptr && !set.adds_to_owned) text += ", " + short_host(build.machine.boxes.front().host->name);
  if (build.machine.boxes.size() > 1) text += fmt::format(", {}", build.machine.boxes.front().nic->name);
  if (build.split.uses_host) text += ", " + build.split.name;
  return text;
}

PlanningDevices planning_of(const BuildCandidate& build, const Sized& sized, const ProfileLibrary& library) {
  const Scenario& scenario = sized.scenario;
  const EngineLoad load = engine_load(scenario.engine, sized.parts.mixtures[build.mixture].model, scenario.cache(),
                                      scenario.workload, layout_of(build.machine));
  return planning_devices(build.machine, load, scenario.workload.context, library, build.split.uses_host);
}

BuildRow build_row(const BuildCandidate& build, const Sized& sized, const ProfileLibrary& library) {
  const Scenario& scenario = sized.scenario;
  const AllowedMixture& allowed = sized.parts.mixtures[build.mixture];
  const PlanningDevices planning = planning_of(build, sized, library);
  const Placement& placement = *placement_of(build.split.answer);
  BuildRow row;
  row.name = build_name(build, sized, library);
  row.mixture = mixture_words(allowed.mixture->name, scenario.model);
  row.placement = split_words(placement, planning);
  std::vector<std::string> unpriced;
  row.bill = make_bill(build.machine, library, scenario.size.budget.currency, scenario.size.allow_used, unpriced);
  OBLEA_CHECK(unpriced.empty(), "a build is made of priced parts");
  row.devices = device_rows(placement, planning);
  const Result<Banded<Money>> total = bill_total(row.bill);
  OBLEA_CHECK(total.has_value(), "prices of an offered build convert");
  row.metrics.push_back(make_metric("price", total->value.amount,
                                    std::string(currency_code(scenario.size.budget.currency)), total->low.amount,
                                    total->high.amount, Origin::estimate));
  add_speed_metrics(row.metrics, build.speed);
  row.metrics.push_back(weights_metric(allowed.model.weights()));
  add_capacity_metrics(row.metrics, placement, allowed.model, planning.accelerators, scenario);
  const MachinePower power = assess_power(build.machine, build.speed.busy,
                                          shared_work(&placement, scenario.draft.has_value()), mains_of(scenario.site));
  add_power_metrics(row.metrics, power);
  add_energy_metrics(row.metrics, power, &build.speed, scenario.site, library);
  row.verdicts.push_back(fit_verdict(
      placement, planning.accelerators,
      fmt::format("{} at {}: {} of weights and {} of KV and state in {} usable", scenario.model.name, row.mixture,
                  print_gib(allowed.model.weights()),
                  print_gib(request_bytes(allowed.model, scenario.workload.context) * scenario.workload.users),
                  print_gib(planning.usable()))));
  add_link_rows(row.metrics, row.verdicts, build.machine, placement, build.speed, library);
  add_power_verdicts(row.verdicts, build.machine, power);
  return row;
}

template <class Better>
void label(std::vector<BuildRow>& rows, const std::vector<BuildCandidate>& front, const char* words, Better better) {
  const auto best = std::min_element(front.begin(), front.end(), better);
  std::string& text = rows[static_cast<std::size_t>(best - front.begin())].label;
  text += (text.empty() ? "" : ", ") + std::string(words);
}

void add_labels(std::vector<BuildRow>& rows, const Sized& sized) {
  if (rows.empty()) return;
  using C = BuildCandidate;
  const auto bits = [&](const C& c) { return sized.parts.mixtures[c.mixture].mixture->nominal_bits; };
  label(rows, sized.front, "fastest", [](const C& a, const C& b) { return sure_speed(a) > sure_speed(b); });
  label(rows, sized.front, "cheapest", [](const C& a, const C& b) { return a.price < b.price; });
  label(rows, sized.front, "fewest watts", [](const C& a, const C& b) { return a.wall_decode < b.wall_decode; });
  label(rows, sized.front, "best value",
        [](const C& a, const C& b) { return sure_speed(a) / a.price > sure_speed(b) / b.price; });
  if (sized.parts.mixtures.size() > 1) {
    label(rows, sized.front, "most bits",
          [&](const C& a, const C& b) { return bits(a) != bits(b) ? bits(a) > bits(b) : a.price < b.price; });
  }
}

// Of every device the largest set that is cheaper than the best build and does not run on its cards alone.
std::vector<LostRow> lost_rows(const Sized& sized, const ProfileLibrary& library, double best_price) {
  std::vector<LostRow> rows;
  std::set<const Device*> told;
  for (std::size_t i = sized.parts.sets.size(); i-- > 0;) {
    const CardSet& set = sized.parts.sets[i];
    const SetOutcome& outcome = sized.outcome.sets[i];
    if (set.boxes > 1 || set.soc_host != nullptr || set.device == nullptr || set.price >= best_price) continue;
    if (outcome.why_not.empty() || (outcome.offered && outcome.fits_in_memory) || told.contains(set.device)) continue;
    if (outcome.why_not.starts_with("no board")) continue;  // fewer of the same card tell more
    told.insert(set.device);
    LostRow row{cards_words(set, is_used(library, set, sized.scenario.size.allow_used)),
                {set.price, sized.scenario.size.budget.currency},
                outcome.why_not};
    if (outcome.off_load_tokens_per_s > 0) {
      row.why += fmt::format("; with {} {} tokens/s a user", outcome.off_load_words,
                             print_number(outcome.off_load_tokens_per_s, 2));
    }
    rows.push_back(std::move(row));
    if (rows.size() == kLostMax) break;
  }
  return rows;
}

std::string default_question(const Scenario& scenario) {
  return fmt::format("Which build under {} runs {} with {} tokens of context for {:.0f} at once?",
                     print_money(scenario.size.budget), scenario.model.name,
                     print_count(scenario.workload.context.value()), scenario.workload.users);
}

// The cheapest build at a larger budget, for an answer that is more than "no".
void tell_what_it_takes(Report& report, const Scenario& scenario, const ProfileLibrary& library,
                        const TimingParameters& timing) {
  Scenario richer = scenario;
  richer.size.rank_by = "price";
  for (int step = 0; step < kBudgetSteps; ++step) {
    richer.size.budget.amount *= kBudgetGrowth;
    const Result<Sized> sized = search(richer, library, timing);
    if (!sized || sized->front.empty()) continue;
    const BuildRow row = build_row(sized->front.front(), *sized, library);
    report.verdicts.push_back({"nothing-in-budget", Answer::no,
                               fmt::format("nothing under {} does it; the cheapest that does is {} at {} for {}",
                                           print_money(scenario.size.budget), row.name, row.mixture,
                                           print_money({sized->front.front().price, scenario.size.budget.currency}))});
    return;
  }
  report.verdicts.push_back(
      {"nothing-in-budget", Answer::no,
       fmt::format("nothing in the library does it, even for {}", print_money(richer.size.budget))});
}

}  // namespace

Result<Report> run_size(const Scenario& scenario, const ProfileLibrary& library, const TimingParameters& timing) {
  const Result<Sized> sized = search(scenario, library, timing);
  if (!sized) return fail(sized.error());
  Report report;
  report.command = "size";
  report.question = scenario.question.empty() ? default_question(scenario) : scenario.question;
  report.version = OBLEA_VERSION;
  report.input_hash = scenario.input_hash;
  report.profiles_hash = library.content_hash;
  std::vector<const Device*> offered;
  for (const BuildCandidate& build : sized->front) {
    report.builds.push_back(build_row(build, *sized, library));
    const std::vector<const Device*> devices = all_devices(build.machine);
    offered.insert(offered.end(), devices.begin(), devices.end());
  }
  report.provenance = provenance_of(offered, scenario.model, &timing, library.prices);
  add_labels(report.builds, *sized);
  report.metrics.push_back(exact_metric("builds_evaluated", static_cast<double>(sized->outcome.evaluated), "builds"));
  report.metrics.push_back(exact_metric("builds_on_front", static_cast<double>(sized->front.size()), "builds"));
  if (sized->front.empty()) {
    tell_what_it_takes(report, scenario, library, timing);
  } else {
    const BuildRow& best = report.builds.front();
    const Verdict& fit = best.verdicts.front();
    report.verdicts.push_back({fit.name, fit.answer,
                               fmt::format("{} for {}", best.name,
                                           print_money({sized->front.front().price, scenario.size.budget.currency}))});
  }
  const double best_price = sized->front.empty() ? scenario.size.budget.amount : sized->front.front().price;
  report.lost = lost_rows(*sized, library, best_price);
  report.notes.push_back(fmt::format(
      "prices of {} (most are estimates, used ones move fast: replace them with --profile)", library.prices.id));
  report.notes.push_back(fmt::format(
      "ranked by the low end of the speed's band; builds below {} tokens/s a user or above {} to the first token "
      "are left out (--min-speed, --max-first-token)",
      print_number(scenario.size.tokens_per_s_min, 2), print_time(scenario.size.first_token_max)));
  report.notes.push_back(fmt::format(
      "every card on a link of x{} or wider (--min-lanes), 16 GiB of RAM or more, cards of one maker in a box",
      scenario.size.pcie_lanes_min));
  report.notes.push_back(scenario.engine.kind == Engine::vllm
                             ? "vLLM over every card; its kernels are taken as llama.cpp's, on which the timing model "
                               "is fitted: an estimate"
                             : "layers over cards by llama.cpp, one step for all users at once");
  report.notes.push_back("speeds at the prompt plus half the answer, one prompt read at a time");
  return report;
}

}  // namespace oblea
