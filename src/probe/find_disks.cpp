#include "probe/find_disks.hpp"

#include "probe/pci.hpp"

namespace oblea {

void find_disks(const MachineRoot& root, FoundMachine& found) {
  constexpr double kSector = 512;  // the unit of /sys/block/*/size, whatever the disk's own
  constexpr Bytes kSmallest = kGB * 8;
  for (const std::string& name : root.entries("/sys/block")) {
    const bool nvme = name.starts_with("nvme");
    const bool other = name.starts_with("sd") || name.starts_with("vd") || name.starts_with("mmcblk");
    const std::string folder = "/sys/block/" + name;
    FoundDisk disk;
    disk.name = name;
    disk.size = Bytes(root.number(folder + "/size").value_or(0) * kSector);
    if ((!nvme && !other) || disk.size < kSmallest) continue;
    disk.model = root.line(folder + "/device/model");
    disk.bus = nvme                         ? DiskBus::nvme
               : name.starts_with("vd")     ? DiskBus::virtual_disk
               : name.starts_with("mmcblk") ? DiskBus::memory_card
                                            : DiskBus::sata;
    disk.rotates = disk.bus == DiskBus::sata && root.line(folder + "/queue/rotational") == "1";
    if (nvme) disk.link = read_link(root, folder + "/device/device");
    found.disks.push_back(std::move(disk));
  }
  if (found.disks.empty()) found.unseen.push_back({"disks", "none in /sys/block"});
}

}  // namespace oblea
