#include "study/machine_bill.hpp"

#include <algorithm>

namespace oblea {
namespace {

struct Basket {
  Bill& bill;
  const ProfileLibrary& library;
  bool allow_used;
  std::vector<std::string>& unpriced;

  void add(const std::string& id, const std::string& name, int count) {
    if (count <= 0) return;
    for (BillLine& line : bill.lines) {
      if (line.item == id) {
        line.count += count;
        return;
      }
    }
    const Price* price = find_price(library.prices, id, allow_used);
    if (price == nullptr) {
      if (std::find(unpriced.begin(), unpriced.end(), id) == unpriced.end()) unpriced.push_back(id);
      return;
    }
    bill.lines.push_back({id, name, count, price->money, price->condition, price->source});
  }
};

void add_box(Basket& basket, const Box& box) {
  for (std::size_t i = static_cast<std::size_t>(box.owned_devices); i < box.devices.size(); ++i) {
    const Device& device = *box.devices[i];
    if (!is_box_device(device)) basket.add(device.id, device.name, 1);
  }
  if (!box.owned) basket.add(box.host->id, box.host->name, 1);
  if (box.ram != nullptr && !box.owned) basket.add(box.ram->id, box.ram->name, box.ram_kits);
  if (box.disk != nullptr) basket.add(box.disk->id, box.disk->name, 1);
  if (box.psu != nullptr && !box.owned_psu) basket.add(box.psu->id, box.psu->name, box.psu_count);
  for (const MappedSupply& supply : box.supplies) basket.add(supply.psu->id, supply.psu->name, 1);
  const bool added_nic = !box.owned && box.nic != nullptr && box.nic->id != box.host->nic;
  if (added_nic) {
    const int cards =
        (box.nic_ports + static_cast<int>(box.nic->ports.value) - 1) / static_cast<int>(box.nic->ports.value);
    basket.add(box.nic->id, box.nic->name, cards);
  }
}

}  // namespace

Bill make_bill(const Machine& machine, const ProfileLibrary& library, Currency currency, bool allow_used,
               std::vector<std::string>& unpriced) {
  Bill bill;
  bill.currency = currency;
  bill.rates = library.prices.rates;
  Basket basket{bill, library, allow_used, unpriced};
  for (const Box& box : machine.boxes) add_box(basket, box);
  if (machine.network_switch != nullptr) basket.add(machine.network_switch->id, machine.network_switch->name, 1);
  if (machine.cable != nullptr) basket.add(machine.cable->id, machine.cable->name, machine.cables);
  return bill;
}

}  // namespace oblea
