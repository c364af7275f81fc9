// MachineLinks: how the devices of a machine reach each other, as routes through its topology.
#pragma once

#include <optional>

#include "base/result.hpp"
#include "hardware/cluster.hpp"
#include "hardware/library.hpp"
#include "hardware/topology.hpp"
#include "study/machine.hpp"
#include "timing/collective.hpp"

namespace oblea {

struct MachineLinks {
  CollectiveLink inside;               // between two cards of one box; goodput 0 where no box has two
  CollectiveLink between;              // between boxes; goodput 0 where there is one box only
  BytesPerSecond between_all_flows{};  // the same for many flows: bonded ports add up
  std::optional<Topology> topology;    // for groups whose ranks share wires; none: every rank has its own
  Bytes port_buffer{};                 // of the switch between boxes; 0: ample
};

// The machine as a cluster: boxes with their cards in slots (without cards the processor stands for one), NVLink where
// the cards have it built in (bridges of consumer cards are bought apart), one switch or direct cables.
Cluster make_cluster(const Machine& machine);

// The narrowest route between cards of one box, and between the boxes. Errors: those of the topology (a PCIe link that
// the library does not know), boxes that nothing joins.
Result<MachineLinks> make_machine_links(const Machine& machine, const ProfileLibrary& library);

}  // namespace oblea
