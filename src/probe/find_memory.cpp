#include "probe/find_memory.hpp"

#include <algorithm>
#include <cstdlib>
#include <set>
#include <utility>

#include <fmt/core.h>

#include "base/lower_case.hpp"
#include "probe/memory_module.hpp"

namespace oblea {
namespace {

// Blocks of one size, each in use or not; what the firmware keeps for itself is part of a block.
Bytes memory_blocks(const MachineRoot& root) {
  const std::string folder = "/sys/devices/system/memory";
  const double size = static_cast<double>(
      std::strtoull(root.line(folder + "/block_size_bytes").c_str(), nullptr, 16));  // hexadecimal without 0x
  double count = 0;
  for (const std::string& name : root.entries(folder)) {
    if (name.starts_with("memory") && root.line(fmt::format("{}/{}/state", folder, name)) == "online") ++count;
  }
  return Bytes(size * count);
}

std::string kind_in(const std::string& written) {
  const std::string words = lower_case(written);
  for (const char* kind : {"lpddr5", "lpddr4", "ddr5", "ddr4", "ddr3"}) {
    if (words.find(kind) != std::string::npos) return kind;
  }
  return "";
}

void read_edac(const MachineRoot& root, FoundMemory& memory) {
  const std::string folder = "/sys/devices/system/edac/mc";
  std::set<std::pair<std::string, std::string>> channels;
  for (const std::string& controller : root.entries(folder)) {
    for (const std::string& module : root.entries(fmt::format("{}/{}", folder, controller))) {
      if (!module.starts_with("dimm") && !module.starts_with("rank")) continue;
      const std::string at = fmt::format("{}/{}/{}", folder, controller, module);
      if (root.number(at + "/size").value_or(0) <= 0) continue;
      ++memory.modules;
      if (memory.kind.empty()) memory.kind = kind_in(root.line(at + "/dimm_mem_type"));
      const std::string location = root.line(at + "/dimm_location");  // "channel 0 slot 1", "csrow 0 channel 1"
      const std::size_t channel = location.find("channel");
      if (channel != std::string::npos) channels.insert({controller, location.substr(channel, 9)});
    }
  }
  memory.channels = static_cast<int>(channels.size());
}

void read_firmware(const MachineRoot& root, FoundMachine& found) {
  const std::string folder = "/sys/firmware/dmi/entries";
  bool described = false, denied = root.denied(folder);
  int modules = 0;
  FoundMemory& memory = found.memory;
  for (const std::string& name : root.entries(folder)) {
    if (!name.starts_with("17-")) continue;
    described = true;
    const std::string path = fmt::format("{}/{}/raw", folder, name);
    const auto module = parse_memory_module(root.bytes(path).value_or(""));
    if (!module) {
      denied = denied || root.denied(path);
      continue;
    }
    if (module->size.value() <= 0) continue;
    ++modules;
    if (memory.kind.empty()) memory.kind = module->kind;
    memory.transfers = memory.transfers > 0 ? std::min(memory.transfers, module->transfers) : module->transfers;
  }
  if (modules > 0) memory.modules = modules;
  if (memory.transfers > 0) return;
  const std::string why = denied      ? "needs root: only root may read the firmware's tables"
                          : described ? "the firmware does not say it"
                                      : "no firmware tables (/sys/firmware/dmi) here";
  found.unseen.push_back({memory.channels > 0 ? "speed of the RAM" : "speed and channels of the RAM", why});
}

}  // namespace

void find_memory(const MachineRoot& root, FoundMachine& found) {
  const std::string total = value_of_key(root.text("/proc/meminfo").value_or(""), "MemTotal");  // "65739972 kB"
  found.memory.total = Bytes(1024.0 * std::strtod(total.c_str(), nullptr));
  if (found.memory.total.value() <= 0) found.unseen.push_back({"size of the RAM", "no /proc/meminfo"});
  found.memory.installed = memory_blocks(root);
  read_edac(root, found.memory);
  read_firmware(root, found);
}

}  // namespace oblea
