// Options beside the asked placement: other splits, other quantisations, and the steady temperatures of a described
// loop.
#pragma once

#include "hardware/library.hpp"
#include "report/report.hpp"
#include "study/machine_power.hpp"
#include "study/planning.hpp"
#include "study/scenario.hpp"
#include "study/speed.hpp"

namespace oblea {

// A row a split: its speed, or why not.
void add_split_options(std::vector<OptionRow>& rows, const std::vector<PlannedSplit>& splits, const Scenario& scenario,
                       const ModelFootprint& model, const PlanningDevices& planning, const MachineLinks& links,
                       const TimingParameters& timing);

// A quantisation that the engine runs, with what the model holds in it.
struct MixtureFootprint {
  const Mixture* mixture = nullptr;
  ModelFootprint model;
};

// Of the scenario's model, the most bits first.
std::vector<MixtureFootprint> runnable_footprints(const Scenario& scenario);

// A row a quantisation that fits with some context, from the most bits to the fewest.
void add_mixture_options(std::vector<OptionRow>& rows, const std::vector<MixtureFootprint>& mixtures,
                         const Scenario& scenario, const PlanningDevices& planning, const MachineLinks& links,
                         const TimingParameters& timing);

// Where all cards are alike: what fits on one, two, four ... of them with the asked context, the most bits first.
void add_card_count_options(std::vector<OptionRow>& rows, const std::vector<MixtureFootprint>& mixtures,
                            const Scenario& scenario, const PlanningDevices& planning, const MachineLinks& links,
                            const TimingParameters& timing);

// Quantisations that the engine runs for this model.
std::vector<const Mixture*> runnable_mixtures(const ModelSpec& model, Engine engine);

// Pump and fans of the scenario's loop; 0 without one.
Watts cooling_watts(const Scenario& scenario, const ProfileLibrary& library);

// Coolant and die temperatures in the steady state, PUE, flow; nothing without a loop.
void add_cooling(Report& report, const Scenario& scenario, const ProfileLibrary& library, const Machine& machine,
                 const MachinePower& power);

}  // namespace oblea
