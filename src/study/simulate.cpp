#include "study/simulate.hpp"

#include <algorithm>

#include <fmt/core.h>

#include "engine/run_engine.hpp"
#include "power/circuit.hpp"
#include "study/capacity_rate.hpp"
#include "study/claims.hpp"
#include "study/failed_run.hpp"
#include "study/fleet_rows.hpp"
#include "study/relief.hpp"
#include "study/report_rows.hpp"
#include "study/run_figures.hpp"
#include "study/run_power.hpp"
#include "study/run_supplies.hpp"
#include "study/scaled_plan.hpp"
#include "study/simulate_rows.hpp"
#include "study/simulated_plan.hpp"
#include "study/wafer_figures.hpp"

namespace oblea {
namespace {

// Above this the runs that ask what would help are left out.
constexpr std::size_t kReliefRequestsMax = 20000;

std::vector<Figure> figures_of(const FleetPlan& fleet, const EngineResult& result, const Scenario& scenario) {
  std::vector<Figure> figures = run_figures(fleet, result, scenario.slo);
  const auto add = [&](const std::vector<Figure>& more) { figures.insert(figures.end(), more.begin(), more.end()); };
  if (scenario.failures) add(failure_figures(fleet, result));
  if (scenario.serving.prefill_replicas > 0) add(handover_figures(result));
  return figures;
}

// The same requests with every time at the low and at the high end of the prediction's band: what queues make of it is
// part of the answer, which no factor on the result would be. A figure's band spans the three runs.
Result<std::vector<EngineResult>> end_runs(const SimulatedPlan& simulated, const EngineRequests& requests) {
  std::vector<EngineResult> ends;
  for (const PlanFactors& factors : {simulated.low, simulated.high}) {
    Result<EngineResult> run = run_engine(scaled_fleet(simulated.fleet, factors), requests, {});
    if (!run) return fail(run.error());
    ends.push_back(std::move(*run));
  }
  return ends;
}

std::vector<Metric> banded_metrics(const SimulatedPlan& simulated, const EngineResult& result,
                                   const std::vector<EngineResult>& ends, const Scenario& scenario) {
  std::vector<Metric> metrics;
  const std::vector<Figure> figures = figures_of(simulated.fleet, result, scenario);
  const std::vector<Figure> fast = figures_of(simulated.fleet, ends[0], scenario);
  const std::vector<Figure> slow = figures_of(simulated.fleet, ends[1], scenario);
  for (std::size_t i = 0; i < figures.size(); ++i) {
    metrics.push_back(make_metric(figures[i].name, figures[i].value, figures[i].unit, fast[i].value, slow[i].value,
                                  simulated.origin));
  }
  return metrics;
}

// Watts and energy, of one replica without failures.
void add_power(Report& report, const SimulatedPlan& simulated, const EngineResult& result,
               const std::vector<EngineResult>& ends, const Scenario& scenario, const ProfileLibrary& library) {
  if (!simulated.machine || scenario.failures) return;
  const double volts = find_circuit(scenario.site.circuit)->volts;
  const auto power_of = [&](const EngineResult& run) {
    return run_power(*simulated.machine, simulated.first_plan(), run, volts);
  };
  const std::optional<RunPower> power = power_of(result);
  const std::optional<RunPower> fast = power_of(ends[0]);
  const std::optional<RunPower> slow = power_of(ends[1]);
  if (!power || !fast || !slow) return;
  report.tables.push_back(run_power_table(*simulated.machine, *power));
  RunEnergy energy;
  energy.wall = power->wall;
  energy.energy = {power->energy.value, std::min(power->energy.low, fast->energy.low),
                   std::max(power->energy.high, slow->energy.high)};
  energy.tokens = static_cast<double>(result.output_tokens);
  add_run_energy_metrics(report.metrics, energy, scenario.site, library);
}

EngineRequests engine_requests(const Traffic& traffic) {
  EngineRequests requests;
  requests.requests = make_requests(traffic);
  if (traffic.arrivals == ArrivalKind::closed) {
    requests.closed_users = traffic.users;
    requests.think_s = traffic.think_s;
  }
  return requests;
}

std::string default_question(const Scenario& scenario) {
  return fmt::format("How long do the requests to {} wait, and how many tokens a second come out?",
                     scenario.model.name);
}

std::string trace_words(const Traffic& traffic) {
  return fmt::format("{} of {} requests of the trace are played, {:.4g} times as fast as they came",
                     std::min(static_cast<std::size_t>(traffic.requests), traffic.trace->size()), traffic.trace->size(),
                     traffic.speed);
}

Result<bool> add_relief(Report& report, const SimulatedPlan& simulated, const EngineRequests& requests,
                        const EngineResult& result) {
  if (requests.requests.size() > kReliefRequestsMax) {
    report.notes.push_back(fmt::format("what would help most is not asked above {} requests", kReliefRequestsMax));
    return true;
  }
  const Result<std::vector<Relief>> reliefs = find_relief(simulated.fleet, requests, mean_request_s(result));
  if (!reliefs) return fail(reliefs.error());
  report.tables.push_back(relief_table(*reliefs));
  return true;
}

// Who served, and against the same requests without failures what these cost.
void add_fleet_rows(Report& report, const FleetPlan& fleet, const EngineResult& result,
                    const std::optional<FailedRun>& failed) {
  if (fleet.replicas.size() > 1 || failed) report.tables.push_back(replica_table(fleet, result));
  if (!failed) return;
  report.tables.push_back(failure_cost_table(fleet, failed->without, result));
  add_failure_verdicts(report.verdicts, fleet, result);
  for (std::string& note : change_notes(failed->planned, result.end_s)) report.notes.push_back(std::move(note));
  if (result.end_s > failed->horizon_s) {
    report.notes.push_back(
        fmt::format("failures were looked for up to {:.4g} s; the run lasts longer", failed->horizon_s));
  }
}

Result<bool> add_run(Simulation& simulation, const SimulatedPlan& sound, const Scenario& scenario,
                     const ProfileLibrary& library, const TimingParameters& timing, const SimulateOptions& options) {
  Report& report = simulation.report;
  const EngineRequests requests = engine_requests(scenario.traffic);
  std::optional<FailedRun> failed;
  if (scenario.failures) {
    Result<FailedRun> planned = plan_failed_run(scenario, sound, requests, library, timing);
    if (!planned) return fail(planned.error());
    failed = std::move(*planned);
    if (sound.first_plan().start_s == 0) {
      report.notes.push_back("no time is counted for loading weights: the scenario says nothing of \"storage\"");
    }
  }
  const SimulatedPlan simulated = failed ? with_failures(sound, *failed) : sound;
  Result<EngineResult> result =
      run_engine(simulated.fleet, requests, {options.step_by_step, options.timeline, options.progress});
  if (!result) return fail(result.error());
  const Result<std::vector<EngineResult>> ends = end_runs(simulated, requests);
  if (!ends) return fail(ends.error());
  const std::vector<Metric> metrics = banded_metrics(simulated, *result, *ends, scenario);
  report.metrics.insert(report.metrics.end(), metrics.begin(), metrics.end());
  if (simulated.megawatts > 0) add_wafer_figures(report.metrics, simulated, *result);
  if (scenario.traffic.arrivals != ArrivalKind::closed) {
    const Result<std::optional<Load>> load = find_load(sound, requests);
    if (!load) return fail(load.error());
    if (*load) add_load(report, **load, simulated);
  }
  if (scenario.traffic.arrivals == ArrivalKind::trace) report.notes.push_back(trace_words(scenario.traffic));
  add_run_verdicts(report.verdicts, *result, scenario.slo);
  report.tables.push_back(request_time_table(*result));
  report.tables.push_back(stage_time_table(simulated.fleet, *result));
  add_fleet_rows(report, simulated.fleet, *result, failed);
  add_power(report, simulated, *result, *ends, scenario, library);
  add_run_supplies(report, scenario, library, sound.first_plan());
  if (options.asks_what_helps) {
    const Result<bool> relieved = add_relief(report, simulated, requests, *result);
    if (!relieved) return fail(relieved.error());
  }
  simulation.lanes = lane_names(simulated.fleet);
  simulation.timeline = std::move(result->timeline);
  return true;
}

Result<Simulation> simulate_scenario(const Scenario& scenario, const ProfileLibrary& library,
                                     const TimingParameters& timing, const SimulateOptions& options) {
  const Result<SimulatedPlan> simulated = make_simulated_plan(scenario, library, timing);
  if (!simulated) return fail(simulated.error());
  Simulation simulation;
  Report& report = simulation.report;
  report.command = "simulate";
  report.question = scenario.question.empty() ? default_question(scenario) : scenario.question;
  report.version = OBLEA_VERSION;
  report.input_hash = scenario.input_hash;
  report.profiles_hash = library.content_hash;
  report.memory_in_gb = scenario.wafers.has_value();
  report.verdicts = simulated->verdicts;
  report.notes = simulated->notes;
  report.provenance = simulated->provenance;
  report.tables = simulated->tables;
  report.metrics.push_back(exact_metric("fits", simulated->fits() ? 1 : 0, "yes/no", Origin::estimate));
  report.metrics.insert(report.metrics.end(), simulated->metrics.begin(), simulated->metrics.end());
  if (!simulated->fits()) return simulation;
  const Result<bool> run = add_run(simulation, *simulated, scenario, library, timing, options);
  if (!run) return fail(run.error());
  return simulation;
}

}  // namespace

Result<Simulation> run_simulate(const Scenario& scenario, const ProfileLibrary& library, const TimingParameters& timing,
                                const SimulateOptions& options) {
  Result<Simulation> simulation = simulate_scenario(scenario, library, timing, options);
  if (!simulation) return simulation;
  Result<std::vector<ClaimRow>> claims =
      check_claims(scenario, simulation->report, [&](const Scenario& variant) -> Result<Report> {
        Result<Simulation> other = simulate_scenario(variant, library, timing, {.asks_what_helps = false});
        if (!other) return fail(other.error());
        return std::move(other->report);
      });
  if (!claims) return fail(claims.error());
  simulation->report.claims = std::move(*claims);
  return simulation;
}

}  // namespace oblea
