#include "io/machine_file.hpp"

#include <cmath>

#include <fmt/core.h>
#include <nlohmann/json.hpp>

#include "base/check.hpp"
#include "study/print_machine.hpp"

namespace oblea {
namespace {

using Json = nlohmann::ordered_json;

constexpr int kFormat = 1;

std::string in_unit(double value, const char* unit) {
  return value == std::floor(value) ? fmt::format("{:.0f} {}", value, unit) : fmt::format("{} {}", value, unit);
}

std::string note_of(const MatchedMachine& matched) {
  std::string note = "found by oblea import machine";
  for (const std::string& line : matched.notes) note += "; " + line;
  return note;
}

Json node_json(const MatchedMachine& matched) {
  const NodeSettings& node = matched.node;
  OBLEA_CHECK(!node.host.empty(), "a node has a host");
  Json json = {{"note", note_of(matched)}, {"name", node.name}, {"host", node.host}};
  if (!node.devices.empty()) json["devices"] = node.devices;
  if (!node.nic.empty()) json["nic"] = node.nic;
  if (node.nic_ports > 1) json["nic_ports"] = node.nic_ports;
  if (node.ram.value() > 0) json["ram"] = in_unit(node.ram / kGiB, "GiB");
  if (node.power_limit) json["power_limit"] = in_unit(node.power_limit->value(), "W");
  if (node.pcie_lanes > 0) json["pcie_lanes"] = node.pcie_lanes;
  if (node.pcie_generation > 0) json["pcie_generation"] = node.pcie_generation;
  return json;
}

std::string dump(const Json& json) { return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n"; }

Json to_json(const FoundLink& link) {
  return {{"generation_now", link.generation_now},
          {"generation_max", link.generation_max},
          {"lanes_now", link.lanes_now},
          {"lanes_max", link.lanes_max}};
}

Json to_json(const FoundGpu& gpu) {
  Json json = {{"name", gpu.name},
               {"vendor", gpu.vendor},
               {"pci_address", gpu.pci_address},
               {"pci_id", gpu.pci_id},
               {"named_by", gpu.named_by}};
  if (gpu.memory) json["memory_bytes"] = gpu.memory->value();
  json["pcie"] = to_json(gpu.link);
  if (gpu.power_limit) json["power_limit_w"] = gpu.power_limit->value();
  if (gpu.power_limit_default) json["power_limit_default_w"] = gpu.power_limit_default->value();
  json["mig"] = gpu.mig;
  json["nvlinks"] = gpu.nvlinks;
  json["nvlink_peers"] = gpu.nvlink_peers;
  json["pcie_peers"] = gpu.pcie_peers;
  return json;
}

Json to_json(const FoundNic& nic) {
  const char* kinds[] = {"ethernet", "infiniband", "thunderbolt"};
  return {{"interface", nic.interface},
          {"kind", kinds[static_cast<int>(nic.kind)]},
          {"name", nic.name},
          {"driver", nic.driver},
          {"pci_id", nic.pci_id},
          {"up", nic.up},
          {"gigabits_per_s", nic.gigabits},
          {"rdma", nic.rdma},
          {"bonded", nic.bonded}};
}

Json to_json(const FoundDisk& disk) {
  const char* buses[] = {"nvme", "sata", "virtual", "memory card"};
  return {{"name", disk.name},
          {"model", disk.model},
          {"bus", buses[static_cast<int>(disk.bus)]},
          {"rotates", disk.rotates},
          {"size_bytes", disk.size.value()},
          {"pcie", to_json(disk.link)}};
}

template <class T>
Json to_json(const std::vector<T>& items) {
  Json list = Json::array();
  for (const T& item : items) list.push_back(to_json(item));
  return list;
}

Json to_json(const FoundSystem& system) {
  Json json = {{"host_name", system.host_name},
               {"os", system.os},
               {"kernel", system.kernel},
               {"vendor", system.vendor},
               {"product", system.product},
               {"board", system.board},
               {"device_tree_model", system.device_tree_model},
               {"container", system.container},
               {"wsl", system.wsl},
               {"virtual_machine", system.virtual_machine}};
  if (system.memory_limit) json["memory_limit_bytes"] = system.memory_limit->value();
  return json;
}

Json found_json(const FoundMachine& found) {
  const FoundCpu& cpu = found.cpu;
  const FoundMemory& memory = found.memory;
  return {{"system", to_json(found.system)},
          {"cpu",
           {{"name", cpu.name},
            {"vendor", cpu.vendor},
            {"family", cpu.family},
            {"model", cpu.model},
            {"sockets", cpu.sockets},
            {"cores", cpu.cores},
            {"threads", cpu.threads}}},
          {"memory",
           {{"total_bytes", memory.total.value()},
            {"installed_bytes", memory.installed.value()},
            {"kind", memory.kind},
            {"modules", memory.modules},
            {"channels", memory.channels},
            {"megatransfers_per_s", memory.transfers}}},
          {"nvidia_driver", found.nvidia_driver},
          {"gpus", to_json(found.gpus)},
          {"nics", to_json(found.nics)},
          {"disks", to_json(found.disks)}};
}

void add_match(Json& list, const char* part, const PartMatch& match) {
  list.push_back({{"part", part},
                  {"found", match.found},
                  {"match", match_kind_name(match.kind)},
                  {"profile", match.id.empty() ? Json(nullptr) : Json(match.id)},
                  {"words", match.words}});
}

}  // namespace

std::string write_machine_file(const MatchedMachine& matched, const std::string& schema) {
  Json json = Json::object();
  if (!schema.empty()) json["$schema"] = schema;
  json.update(node_json(matched));
  return dump(json);
}

std::string write_found_machine(const FoundMachine& found, const MatchedMachine& matched) {
  Json matches = Json::array();
  add_match(matches, "host", matched.host);
  add_match(matches, "cpu", matched.cpu);
  for (const PartMatch& match : matched.gpus) add_match(matches, "gpu", match);
  for (const PartMatch& match : matched.nics) add_match(matches, "nic", match);
  for (const PartMatch& match : matched.disks) add_match(matches, "disk", match);
  Json unseen = Json::array();
  for (const Unseen& item : found.unseen) unseen.push_back({{"what", item.what}, {"why", item.why}});
  const Json node = matched.node.host.empty() ? Json(nullptr) : node_json(matched);
  return dump({{"format", kFormat},
               {"node", node},
               {"found", found_json(found)},
               {"matches", matches},
               {"notes", matched.notes},
               {"not_seen", unseen}});
}

}  // namespace oblea
