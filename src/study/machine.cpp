#include "study/machine.hpp"

namespace oblea {

std::vector<const Device*> all_devices(const Machine& machine, std::vector<int>* node_of) {
  std::vector<const Device*> devices;
  for (std::size_t node = 0; node < machine.boxes.size(); ++node) {
    for (const Device* device : machine.boxes[node].devices) {
      devices.push_back(device);
      if (node_of != nullptr) node_of->push_back(static_cast<int>(node));
    }
  }
  return devices;
}

bool is_box_device(const Device& device) { return device.kind == DeviceKind::soc || device.kind == DeviceKind::wafer; }

}  // namespace oblea
