#include "study/run_power.hpp"

#include <algorithm>

#include "power/wall.hpp"
#include "study/machine_power.hpp"

namespace oblea {
namespace {

DeviceTimes times_of(int device, const EnginePlan& plan, const EngineResult& result) {
  DeviceTimes times;
  for (std::size_t s = 0; s < plan.stages.size(); ++s) {
    const std::vector<int>& devices = plan.stages[s].devices;
    if (std::find(devices.begin(), devices.end(), device) == devices.end()) continue;
    times.prompt_s += result.stage_prompt_s[s];
    times.decode_s += result.stage_work_s[s] - result.stage_prompt_s[s];
  }
  const double busy_s = result.replica_busy_s.front();
  times.waiting_s = std::max(0.0, busy_s - times.prompt_s - times.decode_s);
  times.resident_s = std::max(0.0, result.end_s - busy_s);
  return times;
}

Banded<Watts> mean_watts(const Device& device, const DeviceTimes& times, const PowerControl& control) {
  const double all = times.decode_s + times.prompt_s + times.waiting_s + times.resident_s;
  Banded<Watts> mean;
  if (all <= 0) return mean;
  add(mean, device_watts(device, DevicePhase::decode, control), times.decode_s / all);
  add(mean, device_watts(device, DevicePhase::prefill, control), times.prompt_s / all);
  add(mean, device_watts(device, DevicePhase::waiting, control), times.waiting_s / all);
  add(mean, device_watts(device, DevicePhase::resident, control), times.resident_s / all);
  return mean;
}

}  // namespace

std::optional<RunPower> run_power(const RunMachine& machine, const EnginePlan& plan, const EngineResult& result,
                                  double mains_volts) {
  if (all_devices(machine.machine).size() != machine.names.size() || result.end_s <= 0) return std::nullopt;
  RunPower power;
  const double busy = result.replica_busy_s.front() / result.end_s;
  int device = 0;
  for (const Box& box : machine.machine.boxes) {
    BoxDraw draw = box_draw(box, false);
    draw.host = draw.host * (1 - busy) + box_draw(box, true).host * busy;
    for (const Device* card : box.devices) {
      power.times.push_back(times_of(device++, plan, result));
      power.mean.push_back(mean_watts(*card, power.times.back(), box.control()));
      add(draw.devices, power.mean.back());
    }
    add(power.wall, box_wall_watts(draw, box, mains_volts));
  }
  if (machine.machine.network_switch != nullptr) {
    const Watts network = own_supply_wall_watts(machine.machine.network_switch->power.value);
    add(power.wall, Banded<Watts>{network, network, network});
  }
  const Seconds run(result.end_s);
  power.energy = {power.wall.value * run, power.wall.low * run, power.wall.high * run};
  return power;
}

Table run_power_table(const RunMachine& machine, const RunPower& power) {
  Table table{
      "Watts of the run",
      {{"device", ""}, {"decode_s", "s"}, {"prompt_s", "s"}, {"waiting_s", "s"}, {"resident_s", "s"}, {"mean_w", "W"}},
      {}};
  for (std::size_t d = 0; d < power.times.size(); ++d) {
    const DeviceTimes& times = power.times[d];
    table.rows.push_back({machine.names[d], times.decode_s, times.prompt_s, times.waiting_s, times.resident_s,
                          power.mean[d].value.value()});
  }
  return table;
}

}  // namespace oblea
