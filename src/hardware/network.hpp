// NICs, switches and cables: what joins two boxes, how fast, over which plug.
#pragma once

#include <string>
#include <vector>

#include "hardware/sourced.hpp"
#include "units/quantity.hpp"

namespace oblea {

struct Nic {
  std::string id;
  std::string name;
  std::string port;                       // plug: "rj45", "sfp+", "sfp28", "qsfp28", "usb4", "tb5"
  Sourced<BytesPerSecond> line_rate;      // one port
  Sourced<BytesPerSecond> goodput;        // of one tuned TCP flow
  Sourced<Seconds> tcp_latency;           // one way, small message
  Optional<BytesPerSecond> rdma_goodput;  // absent: no RDMA
  Optional<Seconds> rdma_latency;         // one way, small write
  Sourced<Watts> power;
  Optional<double> pcie_lanes;  // absent: on board, no slot needed
  Optional<double> pcie_generation;
  Sourced<double> ports;
};

struct SwitchPorts {
  std::string port;  // plug
  BytesPerSecond rate;
  int count = 0;
};

struct Switch {
  std::string id;
  std::string name;
  Sourced<std::vector<SwitchPorts>> ports;
  Sourced<Watts> power;
  Sourced<Seconds> latency;            // port to port
  Optional<BytesPerSecond> backplane;  // all flows together; absent: every port at once
  Optional<Bytes> port_buffer;         // what may wait for one port; absent: more than inference sends at once
};

struct Cable {
  std::string id;
  std::string name;
  std::string port;  // plug at both ends
  Sourced<double> length_m;
  Sourced<Watts> power;
};

// A way from card to card or card to host inside a box.
struct PcieLink {
  int generation = 0;
  int lanes = 0;
  Sourced<BytesPerSecond> goodput;  // one direction, as programs see it
};

struct Interconnect {
  std::string id;  // "nvlink-3090", "pcie-p2p-host-bounce", ...
  std::string name;
  Sourced<BytesPerSecond> goodput;  // one direction
  Sourced<Seconds> latency;         // one way, small message
};

}  // namespace oblea
