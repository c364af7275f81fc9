// BondedPort: which of several bonded ports carries what goes between two ends.
#pragma once

namespace oblea {

// One flow takes one port: Linux bonding's usual policy, source XOR destination, modulo the ports (kernel
// documentation, "layer2"), with the ends' numbers in place of their addresses. Example, two ports, a NAS as end 0:
// boxes 1 and 2 get ports 1 and 0; boxes 1 and 3 share port 1.
constexpr int bonded_port(int from, int to, int ports) { return ports < 2 ? 0 : (from ^ to) % ports; }

}  // namespace oblea
