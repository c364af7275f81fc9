// ProfileLibrary: every profile by id. Filled by `io`, read by everybody, never changed afterwards.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "hardware/cooling.hpp"
#include "hardware/device.hpp"
#include "hardware/host.hpp"
#include "hardware/network.hpp"
#include "hardware/price_list.hpp"
#include "hardware/psu.hpp"
#include "hardware/storage.hpp"

namespace oblea {

struct ProfileLibrary {
  std::map<std::string, Device> devices;
  std::map<std::string, Host> hosts;
  std::map<std::string, Nic> nics;
  std::map<std::string, Switch> switches;
  std::map<std::string, Cable> cables;
  std::map<std::string, Interconnect> interconnects;
  std::vector<PcieLink> pcie_links;
  std::map<std::string, Psu> psus;
  std::map<std::string, CoolingPart> cooling;
  std::map<std::string, Fluid> fluids;
  std::map<std::string, Storage> storage;
  PriceList prices;
  std::string content_hash;  // of every file read, in order of name
};

// The profile with this id, or nullptr.
template <class T>
const T* find(const std::map<std::string, T>& profiles, std::string_view id) {
  const auto it = profiles.find(std::string(id));
  return it == profiles.end() ? nullptr : &it->second;
}

template <class T>
std::vector<std::string> ids_of(const std::map<std::string, T>& profiles) {
  std::vector<std::string> ids;
  ids.reserve(profiles.size());
  for (const auto& [id, profile] : profiles) ids.push_back(id);
  return ids;
}

// Goodput of a PCIe link of this generation and width; nullptr when the library does not know it.
const PcieLink* find_pcie(const ProfileLibrary& library, int generation, int lanes);

}  // namespace oblea
