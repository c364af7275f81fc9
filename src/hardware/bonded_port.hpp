// BondedPort: which of several bonded ports carries what goes between two ends.
#pragma once

namespace oblea {

// One flow takes one port: Linux bonding's source XOR destination, modulo the ports (kernel documentation, "layer2";
// "layer3+4" adds TCP ports), with the ends' numbers in place of their addresses and the flow's number between them in
// place of ports that follow each other. Example, two ports, a NAS as end 0: boxes 1 and 2 get ports 1 and 0; boxes 1
// and 3 share port 1; a second flow to box 1 gets port 0.
constexpr int bonded_port(int from, int to, int ports, int flow = 0) {
  return ports < 2 ? 0 : (from ^ to ^ flow) % ports;
}

}  // namespace oblea
