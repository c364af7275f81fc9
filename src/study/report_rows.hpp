// Rows of a report that `place` and `size` share: memory of each device, figures of speed, watts and money, verdicts.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "report/report.hpp"
#include "study/machine_power.hpp"
#include "study/planning.hpp"
#include "study/scenario.hpp"
#include "study/speed.hpp"

namespace oblea {

std::vector<DeviceRow> device_rows(const Placement& placement, const PlanningDevices& planning);

// What the engine keeps of each device, part by part (pieces of `buffers` and `runtime` of the rows above), and what it
// leaves in host memory.
Table engine_table(const Placement& placement, const PlanningDevices& planning);

// How far the memory that an engine keeps on a device may be off. An estimate: reported starts lie within 0.2 GiB.
inline constexpr Bytes kMemoryMargin = kGiB * 0.25;

// Published file sizes are met within 1 % (src/llm/README.md).
Metric weights_metric(Bytes weights);

// Windows moves what does not fit into host memory without a word, and speed falls tenfold (llama.cpp issue 4498).
inline constexpr Bytes kWindowsHeadroom = kGiB * 1.0;

// "spills", where a card under Windows has less than a GiB left.
std::optional<Verdict> spill_verdict(const Placement& placement, const PlanningDevices& planning);

// "fits", or "fits-tight" where some card has less than the margin left.
Verdict fit_verdict(const Placement& placement, std::size_t cards, std::string words);

// What is left, with that margin on each of `cards` devices either way.
void add_capacity_metrics(std::vector<Metric>& metrics, const Placement& placement, const ModelFootprint& model,
                          std::size_t cards, const Scenario& scenario);
void add_speed_metrics(std::vector<Metric>& metrics, const Speed& speed);

// What one flow, and many together, carry between two boxes; nothing where there is one box.
void add_link_metrics(std::vector<Metric>& metrics, const MachineLinks& links);

// What a run took from the wall, and how many tokens it answered.
struct RunEnergy {
  Banded<Watts> wall;
  Banded<Joules> energy;
  double tokens = 0;
};

// "wall_mean_w", "run_energy_kwh", and of each token answered "energy_j_per_token", of a million of them electricity.
// Example: 500 W for 100 s and 2,000 tokens: 25 J a token, 6.94 kWh a million.
void add_run_energy_metrics(std::vector<Metric>& metrics, const RunEnergy& run, const Site& site,
                            const ProfileLibrary& library);

// kWh and money a month at the site's duty cycle, and electricity of a million tokens.
void add_energy_metrics(std::vector<Metric>& metrics, const MachinePower& power, const Speed* speed, const Site& site,
                        const ProfileLibrary& library);

// Reading the weights from the boxes' disks and over the cards' links, the slower of the two; and what the links cost a
// step.
void add_link_rows(std::vector<Metric>& metrics, std::vector<Verdict>& verdicts, const Machine& machine,
                   const Placement& placement, const Speed& speed, const ProfileLibrary& library);

}  // namespace oblea
