#include "study/place_options.hpp"

#include <algorithm>

#include <fmt/core.h>

#include "placement/layer_split.hpp"
#include "placement/tensor_parallel.hpp"
#include "placement/what_fits.hpp"
#include "power/coolant.hpp"
#include "power/wall.hpp"
#include "study/refusal_words.hpp"
#include "units/print.hpp"

namespace oblea {
namespace {

constexpr double kUsefulContext = 256;  // tokens; less is no use to anybody
constexpr std::size_t kMixtureRows = 12;

Speed speed_of(const Placement& placement, const Scenario& scenario, const ModelFootprint& model,
               const PlanningDevices& planning, const MachineLinks& links, const TimingParameters& timing,
               Tokens context) {
  SpeedQuestion question = make_speed_question(scenario, model, planning, links, placement);
  question.workload.context = context;
  if (question.workload.prompt > context) question.workload.prompt = Tokens(0);
  return predict_speed(question, timing);
}

std::string fit_words(const MixtureFit& fit) {
  std::string text = fmt::format("{} of weights, up to {} tokens of context a request", print_gib(fit.weights),
                                 print_count(fit.context.value()));
  if (fit.pooled_context > fit.context) {
    text += fmt::format(" ({} if layers could be cut anywhere)", print_count(fit.pooled_context.value()));
  }
  return text;
}

}  // namespace

void add_split_options(std::vector<OptionRow>& rows, const std::vector<PlannedSplit>& splits, const Scenario& scenario,
                       const ModelFootprint& model, const PlanningDevices& planning, const MachineLinks& links,
                       const TimingParameters& timing) {
  for (const PlannedSplit& split : splits) {
    OptionRow row;
    row.name = fmt::format("{}, {}", mixture_words(scenario.mixture, scenario.model), split.name);
    if (const Placement* placement = placement_of(split.answer)) {
      row.fits = true;
      row.tokens = useful_context(*placement, scenario).value();
      row.tokens_per_s = speed_of(*placement, scenario, model, planning, links, timing, scenario.workload.context)
                             .per_user.value.value();
      row.words =
          fmt::format("{}, up to {} tokens of context", split_words(*placement, planning), print_count(row.tokens));
      const bool sharded =
          placement->kind == SplitKind::tensor_parallel || placement->kind == SplitKind::tensor_and_layers;
      if (sharded && scenario.engine.kind == Engine::llama_cpp) row.words += "; takes another engine, such as vLLM";
    } else {
      const DoesNotFit& refusal = *refusal_of(split.answer);
      row.words = refusal_short(refusal);
      if (split.name.starts_with("tensor parallel over") && refusal.required > refusal.usable) {
        const PlacementDevice& smallest = *std::min_element(
            planning.cards().begin(), planning.cards().end(),
            [](const PlacementDevice& a, const PlacementDevice& b) { return a.capacity < b.capacity; });
        row.words += fmt::format("; shards are equal: {} x {} count, of {} installed", planning.accelerators,
                                 print_gib(smallest.capacity), print_gib(planning.installed()));
      }
    }
    rows.push_back(std::move(row));
  }
}

std::vector<const Mixture*> runnable_mixtures(const ModelSpec& model, Engine engine) {
  std::vector<const Mixture*> runnable;
  for (const Mixture& mixture : all_mixtures()) {
    const std::string& name = mixture.name;
    // The recipes of 2023 are superseded by the K-quants; ask for one by name to see it.
    const bool superseded = name == "Q4_1" || name == "Q5_0" || name == "Q5_1";
    if (superseded) continue;
    const bool gguf = name.starts_with("Q") || name.starts_with("IQ") || name == "F16" || name == "BF16";
    const bool served = name == "BF16" || name == "FP8" || name.starts_with("INT4") || name == "INT8";
    const bool native = name == model.native_format || (name == "MXFP4" && model.native_format.starts_with("MXFP4"));
    if (engine == Engine::vllm ? served || native : gguf || (native && name != "MXFP4_BF16" && name != "FP8")) {
      runnable.push_back(&mixture);
    }
  }
  return runnable;
}

std::vector<MixtureFootprint> runnable_footprints(const Scenario& scenario) {
  std::vector<MixtureFootprint> footprints;
  for (const Mixture* mixture : runnable_mixtures(scenario.model, scenario.engine.kind)) {
    footprints.push_back({mixture, make_footprint(scenario.model, *mixture, scenario.cache())});
  }
  return footprints;
}

void add_mixture_options(std::vector<OptionRow>& rows, const std::vector<MixtureFootprint>& mixtures,
                         const Scenario& scenario, const PlanningDevices& planning, const MachineLinks& links,
                         const TimingParameters& timing) {
  std::vector<MixtureCandidate> candidates;
  candidates.reserve(mixtures.size());
  for (const auto& [mixture, model] : mixtures) candidates.push_back({mixture->name, mixture->nominal_bits, &model});
  CacheDemand demand = cache_demand(scenario.workload, planning.load);
  const Tokens limit(static_cast<double>(scenario.model.max_context));
  std::size_t shown = 0;
  for (const MixtureFit& fit : what_fits(candidates, demand, planning.cards(), limit)) {
    if (!fit.fits || fit.context.value() < kUsefulContext || shown == kMixtureRows) continue;
    const auto same = [&](const MixtureCandidate& c) { return c.name == fit.name; };
    const ModelFootprint& model = *std::find_if(candidates.begin(), candidates.end(), same)->footprint;
    OptionRow row{fmt::format("{}, layer split", fit.name), true, fit_words(fit), fit.context.value(), 0};
    demand.context = std::min(scenario.workload.context, fit.context);
    const PlacementAnswer answer = plan_layer_split(model, demand, planning.cards());
    if (const Placement* placement = placement_of(answer)) {
      row.tokens_per_s =
          speed_of(*placement, scenario, model, planning, links, timing, demand.context).per_user.value.value();
    }
    rows.push_back(std::move(row));
    ++shown;
  }
  if (shown == 0) rows.push_back({"any quantisation", false, "none leaves room for a useful context", 0, 0});
}

void add_card_count_options(std::vector<OptionRow>& rows, const std::vector<MixtureFootprint>& mixtures,
                            const Scenario& scenario, const PlanningDevices& planning, const MachineLinks& links,
                            const TimingParameters& timing) {
  const auto cards = static_cast<int>(planning.accelerators);
  const bool alike = std::all_of(planning.devices.begin(), planning.devices.begin() + cards,
                                 [&](const Device* device) { return device == planning.devices.front(); });
  if (cards < 2 || !alike) return;
  const CacheDemand demand = cache_demand(scenario.workload, planning.load);
  for (int count = 1; count <= cards; count *= 2) {
    const auto some = planning.cards().first(static_cast<std::size_t>(count));
    OptionRow row{fmt::format("{} of the {} cards", count, cards), false, "nothing fits with the asked context", 0, 0};
    for (const auto& [mixture, model] : mixtures) {
      const PlacementAnswer answer = plan_layer_split(model, demand, some);
      const Placement* placement = placement_of(answer);
      if (placement == nullptr) continue;
      row.fits = true;
      row.tokens = useful_context(*placement, scenario).value();
      row.tokens_per_s = speed_of(*placement, scenario, model, planning, links, timing, scenario.workload.context)
                             .per_user.value.value();
      row.words = fmt::format("at most {} ({} of weights), up to {} tokens of context", mixture->name,
                              print_gib(model.weights()), print_count(row.tokens));
      break;  // the most bits come first
    }
    rows.push_back(std::move(row));
  }
}

Watts cooling_watts(const Scenario& scenario, const ProfileLibrary& library) {
  if (!scenario.cooling) return Watts(0);
  Watts sum{};
  for (const std::string& id : {scenario.cooling->pump, scenario.cooling->radiator}) {
    if (const CoolingPart* part = find(library.cooling, id)) {
      const double count = id == scenario.cooling->radiator ? scenario.cooling->radiators : 1;
      sum += value_or(part->power, Watts(0)) * count;
    }
  }
  return sum;
}

void add_cooling(Report& report, const Scenario& scenario, const ProfileLibrary& library, const Machine& machine,
                 const MachinePower& power) {
  if (!scenario.cooling) return;
  const CoolingLoop& loop = *scenario.cooling;
  const CoolingPart& radiator = *find(library.cooling, loop.radiator);
  const CoolingPart& sink = *find(library.cooling, loop.sink);
  const Fluid& fluid = *find(library.fluids, loop.fluid);
  if (!radiator.conductance || !sink.resistance) return;
  const bool oil = loop.fluid != "fluid-water";
  const double derating = oil ? value_or(radiator.oil_derating, 0.6) : 1.0;
  const WattsPerKelvin conductance = radiator_conductance(radiator.conductance->value, loop.fan_rpm) * loop.radiators;
  // Everything that the box draws ends in the tank, its supply's loss apart (supplies stand outside).
  Watts heat{};
  Watts hottest{};
  for (const Box& box : machine.boxes) {
    heat += host_dc_watts(*box.host, true);
    for (const Device* device : box.devices) {
      const Watts card = sustained_watts(*device, box.power_limit);
      heat += card;
      hottest = std::max(hottest, card);
    }
  }
  const Celsius coolant = steady_coolant_temperature(scenario.site.room, heat, conductance, derating);
  const Celsius die = steady_die_temperature(coolant, hottest, sink.resistance->value);
  // Radiator and sink figures are estimates: a quarter either way of each temperature rise.
  const double rise = (coolant - scenario.site.room).value();
  const double die_rise = (die - coolant).value();
  const double room = scenario.site.room.value();
  report.metrics.push_back(
      make_metric("coolant_c", coolant.value(), "degC", room + 0.75 * rise, room + 1.25 * rise, Origin::estimate));
  report.metrics.push_back(make_metric("die_c", die.value(), "degC", room + 0.75 * (rise + die_rise),
                                       room + 1.25 * (rise + die_rise), Origin::estimate));
  const FluidPoint properties = fluid_at(fluid, coolant);
  const double flow = flow_wanted_litres_per_hour(heat, Kelvins(10), properties);
  report.metrics.push_back(
      make_metric("flow_for_10_k_l_per_h", flow, "l/h", flow * 0.95, flow * 1.05, Origin::datasheet));
  const Watts cooling = cooling_watts(scenario, library);
  report.metrics.push_back(
      make_metric("cooling_w", cooling.value(), "W", cooling.value() * 0.7, cooling.value() * 1.3, Origin::estimate));
  const double pue = power_usage_effectiveness(power.wall_peak, cooling);
  report.metrics.push_back(
      make_metric("pue", pue, "ratio", 1 + (pue - 1) * 0.7, 1 + (pue - 1) * 1.3, Origin::estimate));
  report.notes.push_back(fmt::format("steady state at full load: {} into {} at {:.0f} W/K{}, room {:.0f} degC",
                                     print_watts(heat), radiator.name, conductance.value() * derating,
                                     oil ? fmt::format(" (water figure x {:g} for oil)", derating) : "", room));
}

}  // namespace oblea
