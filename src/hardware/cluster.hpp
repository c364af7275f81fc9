// Cluster: what stands where and what is plugged into what, in names and profile ids. Plain data, as a scenario gives
// it.
#pragma once

#include <string>
#include <vector>

namespace oblea {

// A device in its slot. Lanes and generation are those of the link, not of the connector: a x1 riser has lanes 1.
struct InstalledDevice {
  std::string id;  // profile
  int slot = 0;
  int pcie_generation = 4;
  int pcie_lanes = 16;
  bool shared = false;  // behind the node's uplink
};

// A bridge or fabric between two devices of one node, by index: NVLink, or the link between two wafers of one box.
struct DeviceBridge {
  int first = 0;
  int second = 1;
  std::string interconnect;  // profile: "nvlink-3090"
};

struct ClusterNode {
  std::string name;
  std::string host;  // profile; may be empty for a wafer
  std::vector<InstalledDevice> devices;
  std::vector<DeviceBridge> bridges;
  int uplink_generation = 0;  // of the PCIe link that shared devices share; 0: none
  int uplink_lanes = 0;
  std::string nic;         // profile; empty: no network
  int bonded_ports = 1;    // of the NIC; more ports carry more flows, not a faster flow
  bool uses_rdma = false;  // where the NIC has it
  bool peer_to_peer =
      false;  // cards reach each other over PCIe without host memory (off for GeForce with a stock driver)
};

struct ClusterSwitch {
  std::string name;
  std::string id;  // profile
};

// Between two nodes' NICs, a NIC and a switch, two switches, or, with an interconnect, two nodes' first devices
// (wafers).
struct ClusterLink {
  std::string from;
  std::string to;
  std::string interconnect;  // profile: "wafer-link-wse-3t"; empty: a cable
};

struct Cluster {
  std::vector<ClusterNode> nodes;
  std::vector<ClusterSwitch> switches;
  std::vector<ClusterLink> links;
};

}  // namespace oblea
