// Host: a board with its CPU, case and cooler: the slots that cards go into, the lanes behind them, and the idle watts.
#pragma once

#include <string>
#include <vector>

#include "hardware/sourced.hpp"
#include "units/quantity.hpp"

namespace oblea {

// One PCIe slot as wired (a x16 connector with four lanes has lanes = 4).
struct PcieSlot {
  int generation = 0;
  int lanes = 0;
  int width = 2;        // card widths that fit before the next slot is covered
  bool shared = false;  // lies behind the host's uplink, with all others that do
};

struct Host {
  std::string id;
  std::string name;
  std::string cpu;                       // id of a device of kind cpu
  Sourced<std::vector<PcieSlot>> slots;  // free for cards, best first, with every slot in use at once
  Optional<PcieSlot> uplink;             // what shared slots share, such as a chipset's way to the CPU
  Sourced<std::string> ram_kind;         // "ddr4", "ddr5", "lpddr5x", "none"
  Sourced<double> ram_slots;
  Sourced<Bytes> ram_max;
  Sourced<Watts> idle;  // the whole box without cards, at the wall
  Sourced<Watts> load;  // the whole box without cards, busy feeding them, DC
  Optional<std::string>
      soc;          // id of the device that is the box itself (Mac, Strix Halo, DGX Spark): no card slots needed
  std::string nic;  // id of the NIC on board
  Optional<Bytes> ram_included;  // in the price
  Optional<Watts> psu_included;  // rating of a supply that comes with it
  Sourced<double> gpu_max;       // cards that can be mounted, with risers if `risers`
  bool risers = false;           // an open frame: every slot can be used whatever the width of the cards
  std::string note;
};

}  // namespace oblea
