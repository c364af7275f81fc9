#include "study/size_parts.hpp"

#include <algorithm>

#include "cost/bill.hpp"
#include "study/compatibility.hpp"
#include "study/place_options.hpp"

namespace oblea {
namespace {

constexpr double kDefaultBitsMin = 4.2;  // "four bits and better": from Q4_K_S and MXFP4 up
constexpr double kDefaultBitsMax = 9;    // past Q8_0 nothing is gained that anybody measured

class Collector {
 public:
  Collector(const Scenario& scenario, const ProfileLibrary& library) : scenario_(scenario), library_(library) {}

  SizeParts collect() {
    collect_sets();
    collect_hosts();
    collect_storage();
    collect_psus();
    for (int boxes = 2; boxes <= scenario_.size.nodes_max; ++boxes) collect_networks(boxes);
    collect_mixtures();
    const auto by_price = [](const auto& a, const auto& b) { return a.price < b.price; };
    std::stable_sort(parts_.sets.begin(), parts_.sets.end(), by_price);
    std::stable_sort(parts_.hosts.begin(), parts_.hosts.end(), by_price);
    std::stable_sort(parts_.rams.begin(), parts_.rams.end(), by_price);
    std::stable_sort(parts_.disks.begin(), parts_.disks.end(), by_price);
    std::stable_sort(parts_.psus.begin(), parts_.psus.end(), by_price);
    std::stable_sort(parts_.networks.begin(), parts_.networks.end(), by_price);
    return std::move(parts_);
  }

 private:
  double price(const std::string& id) const {
    return price_of(library_, id, scenario_.size.budget.currency, scenario_.size.allow_used);
  }

  bool wanted(const std::string& id) const {
    const std::vector<std::string>& only = scenario_.size.devices;
    return only.empty() || std::find(only.begin(), only.end(), id) != only.end();
  }

  // Nothing, or one to many of each device, into the box that is there.
  void collect_additions() {
    parts_.sets.push_back({nullptr, nullptr, 0, 1, 0, true});
    for (const auto& [id, device] : library_.devices) {
      const double each = price(id);
      if (device.kind != DeviceKind::gpu || each < 0 || !wanted(id)) continue;
      for (int count = 1; count <= scenario_.size.devices_max; ++count) {
        parts_.sets.push_back({&device, nullptr, count, 1, each * count, true});
      }
    }
  }

  void collect_sets() {
    if (scenario_.size.have) return collect_additions();
    for (const auto& [id, device] : library_.devices) {
      const double each = price(id);
      if (device.kind != DeviceKind::gpu || each < 0 || !wanted(id)) continue;
      for (int boxes = 1; boxes <= scenario_.size.nodes_max; ++boxes) {
        for (int count = 1; count <= scenario_.size.devices_max; ++count) {
          parts_.sets.push_back({&device, nullptr, count, boxes, each * count * boxes});
        }
      }
    }
    for (const auto& [id, host] : library_.hosts) {
      if (!host.soc || price(id) < 0) continue;
      const Device* device = find(library_.devices, host.soc->value);
      if (device == nullptr || device->kind != DeviceKind::soc || !wanted(device->id)) continue;
      for (int boxes = 1; boxes <= scenario_.size.nodes_max; ++boxes)
        parts_.sets.push_back({device, &host, 1, boxes, 0});
    }
  }

  void collect_hosts() {
    for (const auto& [id, host] : library_.hosts) {
      const double each = price(id);
      if (each >= 0 && !host.soc && !host.slots.value.empty()) parts_.hosts.push_back({&host, each});
    }
  }

  void collect_storage() {
    for (const auto& [id, storage] : library_.storage) {
      const double each = price(id);
      if (each < 0) continue;
      if (storage.kind == StorageKind::ram) parts_.rams.push_back({&storage, each});
      if (storage.kind == StorageKind::nvme) parts_.disks.push_back({&storage, each});
    }
  }

  void collect_psus() {
    for (const auto& [id, psu] : library_.psus) {
      const double each = price(id);
      if (each >= 0 && psu.powers_board) parts_.psus.push_back({&psu, each});
    }
  }

  // The cheapest cable with this plug.
  const Cable* cable_for(const std::string& port, double& each) const {
    const Cable* best = nullptr;
    for (const auto& [id, cable] : library_.cables) {
      const double cost = price(id);
      if (cable.port != port || cost < 0 || (best != nullptr && cost >= each)) continue;
      best = &cable;
      each = cost;
    }
    return best;
  }

  void add_network(const Nic& nic, bool added, double nic_price, int boxes) {
    double cable_price = 0;
    const Cable* cable = cable_for(nic.port, cable_price);
    if (cable == nullptr) return;
    NetworkOption option{added ? &nic : nullptr, nic.port, nullptr, cable, 0, boxes};
    const double nics = added ? nic_price * boxes : 0;
    if (boxes == 2) {
      option.price = nics + cable_price;
      parts_.networks.push_back(option);
      return;
    }
    for (const auto& [id, network_switch] : library_.switches) {
      const double cost = price(id);
      if (cost < 0 || matching_ports(network_switch, nic) < boxes) continue;
      option.network_switch = &network_switch;
      option.price = nics + cable_price * boxes + cost;
      parts_.networks.push_back(option);
    }
  }

  void collect_networks(int boxes) {
    std::vector<std::string> own_ports;
    for (const auto& [id, host] : library_.hosts) {
      const Nic* own = find(library_.nics, host.nic);
      if (own == nullptr || std::find(own_ports.begin(), own_ports.end(), own->port) != own_ports.end()) continue;
      own_ports.push_back(own->port);
      add_network(*own, false, 0, boxes);
    }
    for (const auto& [id, nic] : library_.nics) {
      const double each = price(id);
      if (each >= 0 && nic.pcie_lanes) add_network(nic, true, each, boxes);
    }
  }

  void collect_mixtures() {
    const std::vector<std::string>& asked = scenario_.size.mixtures;
    // Weights published at four bits gain nothing from another recipe: files of all of them are about as large.
    const bool native_four_bits =
        scenario_.model.native_format.starts_with("MXFP4") && scenario_.engine.kind == Engine::llama_cpp;
    std::vector<const Mixture*> mixtures;
    for (const Mixture* mixture : runnable_mixtures(scenario_.model, scenario_.engine.kind)) {
      const bool four_bits = mixture->nominal_bits >= kDefaultBitsMin && mixture->nominal_bits <= kDefaultBitsMax;
      const bool usual = mixture->name.starts_with("Q4_K_M") || mixture->name.starts_with("Q5_K_M") ||
                         mixture->name == "Q6_K" || mixture->name == "Q8_0" || mixture->name == scenario_.mixture ||
                         scenario_.engine.kind == Engine::vllm;
      if (native_four_bits && mixture->name != "MXFP4") continue;
      if (asked.empty() && four_bits && usual) mixtures.push_back(mixture);
    }
    if (asked.empty() && scenario_.model.stored) mixtures = {find_mixture(kStoredMixture)};  // the file that is there
    for (const std::string& name : asked) {
      if (const Mixture* mixture = find_mixture(name)) mixtures.push_back(mixture);
    }
    std::stable_sort(mixtures.begin(), mixtures.end(),
                     [](const Mixture* a, const Mixture* b) { return a->nominal_bits > b->nominal_bits; });
    mixtures.erase(std::unique(mixtures.begin(), mixtures.end()), mixtures.end());
    for (const Mixture* mixture : mixtures) {
      ModelFootprint model = make_footprint(scenario_.model, *mixture, scenario_.cache());
      const auto loads = [&](const CardLayout& layout) {
        const EngineLoad load = engine_load(scenario_.engine, model, scenario_.cache(), scenario_.workload, layout);
        return LayerLoads(model, cache_demand(scenario_.workload, load));
      };
      LayerLoads one_card = loads({});
      LayerLoads several = loads({.pipeline = 2, .unified = false});
      LayerLoads unified = loads({.pipeline = 1, .unified = true});
      parts_.mixtures.push_back(
          {mixture, std::move(model), std::move(one_card), std::move(several), std::move(unified)});
    }
  }

  const Scenario& scenario_;
  const ProfileLibrary& library_;
  SizeParts parts_;
};

}  // namespace

double price_of(const ProfileLibrary& library, const std::string& id, Currency currency, bool allow_used) {
  const Price* price = find_price(library.prices, id, allow_used);
  if (price == nullptr) return -1;
  if (price->money.currency != currency && library.prices.rates.euros_per_usd <= 0) return -1;
  return convert(price->money, currency, library.prices.rates).amount;
}

SizeParts collect_parts(const Scenario& scenario, const ProfileLibrary& library) {
  return Collector(scenario, library).collect();
}

}  // namespace oblea
