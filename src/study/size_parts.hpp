// SizeParts: what `size` may choose from, with prices in the budget's currency, looked up once before the search.
#pragma once

#include <vector>

#include "hardware/library.hpp"
#include "placement/engine_load.hpp"
#include "placement/layer_loads.hpp"
#include "study/planning.hpp"
#include "study/scenario.hpp"

namespace oblea {

// Cards that make a build's accelerators: so many of one device in each of so many equal boxes. A SoC is its own box.
struct CardSet {
  const Device* device = nullptr;
  const Host* soc_host = nullptr;
  int per_box = 1;
  int boxes = 1;
  double price = 0;            // of the cards; 0 for a SoC, whose host has the price
  bool adds_to_owned = false;  // per_box cards go into the box that is already there
};

struct PricedHost {
  const Host* host = nullptr;
  double price = 0;
};

struct PricedPsu {
  const Psu* psu = nullptr;
  double price = 0;
};

struct PricedKit {
  const Storage* kit = nullptr;
  double price = 0;
};

// How boxes are joined: a NIC of their own or an added one, directly or through a switch.
struct NetworkOption {
  const Nic* nic = nullptr;  // null: the host's own
  std::string port;          // plug that the host's own NIC must have, where nic is null
  const Switch* network_switch = nullptr;
  const Cable* cable = nullptr;
  double price = 0;  // of all of it
  int boxes = 2;
};

// One quantisation that the user allows.
struct AllowedMixture {
  const Mixture* mixture = nullptr;
  ModelFootprint model;
  LayerLoads one_card;  // at the asked context and users, on the only card of a box
  LayerLoads loads;     // on one of several in a box
  LayerLoads unified;   // on a SoC

  const LayerLoads& loads_on(const EngineLoad& load) const {
    return load.unified ? unified : load.pipeline > 1 ? loads : one_card;
  }
};

struct SizeParts {
  std::vector<CardSet> sets;             // by price
  std::vector<PricedHost> hosts;         // boards for cards, by price
  std::vector<PricedKit> rams;           // by price
  std::vector<PricedKit> disks;          // NVMe, by price
  std::vector<PricedPsu> psus;           // by price
  std::vector<NetworkOption> networks;   // by price
  std::vector<AllowedMixture> mixtures;  // most bits first
};

// Only things with a price in the list (used ones if the scenario allows) are offered.
SizeParts collect_parts(const Scenario& scenario, const ProfileLibrary& library);

// The price of one, in euros or dollars as the budget says; negative: none.
double price_of(const ProfileLibrary& library, const std::string& id, Currency currency, bool allow_used);

}  // namespace oblea
