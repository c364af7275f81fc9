// GroupLinks: what is left of the wires when all ranks of a tensor-parallel group send at once.
#pragma once

#include <span>
#include <vector>

#include "hardware/topology.hpp"
#include "timing/collective.hpp"

namespace oblea {

// One transfer among several that begin together.
struct Flow {
  Route route;
  int from_node = 0;
  int to_node = 0;
};

// Max-min shares of equal flows that all begin at once, in closed form: of each resource on a flow's way its goodput
// over the number of flows on it, and the least of these. Bonded ports: one flow takes one
// (`hardware/bonded_port.hpp`). Example: two flows from one box to another over 1 GbE (117 MB/s): 58.5 MB/s each, over
// two bonded ports 117 each; one flow gets 117 either way. Limit: a flow that is held up elsewhere leaves its share
// unused.
std::vector<BytesPerSecond> equal_flow_rates(std::span<const Flow> flows);

// The group of these devices in rank order: neighbours of the ring, partners of each exchange, and the star round rank
// 0, each step with its slowest share. `port_buffer` of the switch between boxes; 0: ample. All must reach each other.
CollectiveGroup make_group_links(const Topology& topology, std::span<const DevicePlace> ranks, Bytes port_buffer);

// A route as collectives see it.
CollectiveLink make_collective_link(const Route& route);

}  // namespace oblea
