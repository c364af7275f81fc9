// ThermalNetwork: temperatures of lumped parts joined by conductances, in the steady state and over time.
//
// Scope: heats and conductances that stay as they are during a step. Limits: no radiation, no flow that carries heat
// one way; a part has one temperature.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "base/result.hpp"

namespace oblea {

struct ThermalNode {
  std::string name;
  double heat_capacity_j_per_k = 0;  // 0: it follows its neighbours at once
  double heat_w = 0;                 // made in it
  bool is_fixed = false;             // a room, the outside: its temperature stays
  double temperature_c = 0;          // of a fixed node; of the others at the start
};

struct ThermalLink {
  int from = 0;  // of nodes; heat goes both ways
  int to = 0;
  double w_per_k = 0;
};

struct ThermalNetwork {
  std::vector<ThermalNode> nodes;
  std::vector<ThermalLink> links;
};

struct ThermalStep {
  std::vector<double> temperature_c;  // by node, at the end
  std::vector<double> mean_c;         // over the step
  std::vector<double> heat_taken_j;   // by fixed node; 0 for others
};

// Every part that is not fixed must be joined, by way of others, to a fixed one; else its heat has nowhere to go.
// Errors: no nodes, links between nodes that are not there, conductances or capacities that are negative or no number,
// a part that is joined to no fixed node.
Result<bool> check_network(const ThermalNetwork& network);

// The network must be sound. Example: 350 W in a die, 20 W/K to a heat sink, 10 W/K from there to a room of 22 degC:
// the sink is at 22 + 35 = 57, the die at 57 + 17.5 = 74.5 degC.
std::vector<double> steady_temperatures(const ThermalNetwork& network);

// After `seconds`, exactly: C dT/dt = heat - K T solved by the eigenvectors of C^-1/2 K C^-1/2, so a step may be as
// long as one likes. Heat is conserved: made in the step = stored + taken by fixed nodes. Example: one part of 100 J/K,
// 10 W/K to a room of 20 degC, 50 W from 20 degC on: 20 + 5 (1 - exp(-t / 10 s)); after 10 s 23.16 degC, and the room
// has taken 184 of 500 J.
ThermalStep advance(const ThermalNetwork& network, std::span<const double> start_c, double seconds);

}  // namespace oblea
