// Machine: boxes with their parts, as `size` composes them and as a scenario describes them. Pointers go into the
// library.
#pragma once

#include <optional>
#include <vector>

#include "hardware/library.hpp"
#include "power/power_control.hpp"
#include "power/supply_map.hpp"
#include "units/quantity.hpp"

namespace oblea {

struct Box {
  const Host* host = nullptr;
  std::vector<const Device*> devices;  // cards in slot order; of a SoC or wafer host its own device first
  std::vector<PcieSlot> slots;         // link of each card as negotiated; empty entries (0 lanes) for a SoC
  const Nic* nic = nullptr;            // never null once composed: the host's own when none is added
  int nic_ports = 1;                   // bonded
  const Storage* ram = nullptr;        // kit bought; null: included, owned, or not described
  int ram_kits = 0;
  Bytes ram_bytes{};              // in the box, however it got there
  const Storage* disk = nullptr;  // bought
  const Psu* psu = nullptr;       // null: the host's own supply, or not described
  int psu_count = 1;
  std::optional<SupplySharing> supply_sharing;  // of equal supplies on one rail
  std::vector<MappedSupply> supplies;           // described one by one, in place of `psu`
  std::vector<int> device_supply;               // then the supply of each device
  int host_supply = 0;                          // and the host's
  std::optional<Watts> power_limit;             // of each card
  std::optional<Hertz> clock_lock;              // of each card
  bool owned = false;                           // host, RAM and supply are already there
  int owned_devices = 0;                        // of the first cards
  bool owned_psu = false;

  PowerControl control() const { return {power_limit, clock_lock}; }
  bool has_supply() const { return psu != nullptr || !supplies.empty(); }
};

struct Machine {
  std::vector<Box> boxes;
  const Switch* network_switch = nullptr;  // null: one box, or two joined directly
  const Cable* cable = nullptr;
  int cables = 0;
  bool rdma = false;
};

// Every device of every box, in order; `node_of` (optional) gets the box of each.
std::vector<const Device*> all_devices(const Machine& machine, std::vector<int>* node_of = nullptr);

bool is_box_device(const Device& device);  // SoC or wafer: comes with its host, is no card

// The cards of a box, in its order, without a device that came with the host.
std::vector<const Device*> cards_of(const Box& box);

}  // namespace oblea
