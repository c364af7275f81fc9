#include "probe/find_nics.hpp"

#include <algorithm>
#include <sstream>

#include "probe/pci.hpp"

namespace oblea {
namespace {

const std::string kNet = "/sys/class/net/";

// Ports of the bond that this one is part of, else 1.
int bonded_ports(const MachineRoot& root, const std::string& interface) {
  std::istringstream slaves(root.line(kNet + interface + "/master/bonding/slaves"));
  int count = 0;
  for (std::string name; slaves >> name;) ++count;
  return std::max(1, count);
}

FoundNic read_nic(const MachineRoot& root, const std::string& interface) {
  const std::string folder = kNet + interface;
  FoundNic nic;
  nic.interface = interface;
  const std::string driver = root.resolve(folder + "/device/driver");
  nic.driver = driver.substr(driver.rfind('/') + 1);
  const PciFunction function = read_pci(root, folder + "/device");
  nic.pci_id = function.id;
  if (!function.id.empty()) nic.name = name_pci(root, function);
  constexpr double kInfinibandType = 32;  // ARPHRD_INFINIBAND
  if (nic.driver.starts_with("thunderbolt")) nic.kind = NicKind::thunderbolt;
  if (root.number(folder + "/type").value_or(0) == kInfinibandType) nic.kind = NicKind::infiniband;
  nic.up = root.line(folder + "/carrier") == "1";
  nic.gigabits = std::max(0.0, root.number(folder + "/speed").value_or(0)) / 1000;  // Mb/s; -1 without a cable
  nic.bonded = bonded_ports(root, interface);
  return nic;
}

// "100 Gb/sec (4X EDR)" of the first port; which interface it belongs to stands below its device.
void read_rdma(const MachineRoot& root, FoundMachine& found) {
  const std::string folder = "/sys/class/infiniband/";
  for (const std::string& device : root.entries(folder)) {
    const double gigabits = root.number(folder + device + "/ports/1/rate").value_or(0);
    const bool active = root.line(folder + device + "/ports/1/state").find("ACTIVE") != std::string::npos;
    const bool infiniband = root.line(folder + device + "/ports/1/link_layer") == "InfiniBand";
    const std::vector<std::string> interfaces = root.entries(folder + device + "/device/net");
    const auto nic = std::find_if(found.nics.begin(), found.nics.end(), [&](const FoundNic& n) {
      return std::find(interfaces.begin(), interfaces.end(), n.interface) != interfaces.end();
    });
    if (nic != found.nics.end()) {
      nic->rdma = true;
      if (nic->gigabits <= 0 && active) nic->gigabits = gigabits;
      continue;
    }
    const PciFunction function = read_pci(root, folder + device + "/device");
    FoundNic alone;
    alone.interface = device;
    alone.kind = infiniband ? NicKind::infiniband : NicKind::ethernet;
    alone.pci_id = function.id;
    if (!function.id.empty()) alone.name = name_pci(root, function);
    alone.up = active;
    alone.gigabits = active ? gigabits : 0;
    alone.rdma = true;
    found.nics.push_back(std::move(alone));
  }
}

}  // namespace

void find_nics(const MachineRoot& root, FoundMachine& found) {
  for (const std::string& interface : root.entries(kNet)) {
    const bool hardware = root.exists(kNet + interface + "/device");
    const bool wireless = root.exists(kNet + interface + "/wireless") || root.exists(kNet + interface + "/phy80211");
    if (hardware && !wireless) found.nics.push_back(read_nic(root, interface));
  }
  read_rdma(root, found);
  if (found.nics.empty()) found.unseen.push_back({"network ports", "none with hardware behind it in /sys/class/net"});
}

}  // namespace oblea
