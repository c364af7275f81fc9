#include "study/machine.hpp"

#include <algorithm>
#include <iterator>

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

std::vector<const Device*> cards_of(const Box& box) {
  std::vector<const Device*> cards;
  std::copy_if(box.devices.begin(), box.devices.end(), std::back_inserter(cards),
               [](const Device* device) { return !is_box_device(*device); });
  return cards;
}

}  // namespace oblea
