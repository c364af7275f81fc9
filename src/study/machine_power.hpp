// Watts of a machine: by phase, at the wall, with the verdict on each box's supplies and on the mains.
#pragma once

#include <algorithm>
#include <vector>

#include "placement/placement.hpp"
#include "power/circuit.hpp"
#include "power/device_power.hpp"
#include "study/box_supplies.hpp"
#include "study/machine.hpp"
#include "study/mains.hpp"
#include "units/banded.hpp"

namespace oblea {

// Share of a decode step in which each device works; the rest it waits. Empty: all of it.
using BusyShares = std::vector<double>;

// Of stages with `devices`: cards of a group work in step, stages in turns; one card has nobody to meet.
template <class Stages>
SharedWork work_of_stages(const Stages& stages, bool drafting) {
  const bool grouped =
      std::any_of(stages.begin(), stages.end(), [](const auto& stage) { return stage.devices.size() > 1; });
  if (grouped) return {WorkSplit::tensor, drafting};
  return {stages.size() > 1 ? WorkSplit::layers : WorkSplit::independent, drafting};
}

// Without a placement the harder case, in step.
SharedWork shared_work(const Placement* placement, bool drafting);

struct MachinePower {
  Banded<Watts> wall_idle;  // model loaded, nobody asks
  Banded<Watts> wall_decode;
  Banded<Watts> wall_prefill;
  Watts wall_peak{};                       // every card at the most it may draw, without pump and radiator fans
  std::vector<SupplyAssessment> supplies;  // one a box with a described supply
  std::vector<int> supply_box;             // its box
  CircuitAssessment circuit;
  BreakerAssessment breaker;  // in the phase that draws more
  std::optional<UpsAssessment> ups;
  Mains mains;
  SharedWork work;
};

MachinePower assess_power(const Machine& machine, const BusyShares& decode_busy, const SharedWork& work,
                          const Mains& mains);

// Worst verdict over the boxes.
SupplyVerdict worst_supply(const MachinePower& power);

}  // namespace oblea
