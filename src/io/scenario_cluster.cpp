#include "io/scenario_cluster.hpp"

#include <algorithm>

#include <fmt/core.h>

#include "base/limits.hpp"
#include "base/suggest.hpp"
#include "io/path_beside.hpp"
#include "io/scenario_supply.hpp"
#include "io/text_file.hpp"
#include "power/circuit.hpp"

namespace oblea {
namespace {

// A device that is no card comes with its own host and goes into no other.
void check_is_card(ObjectReader& reader, const JsonValue& list, std::size_t index, const Device& device,
                   const Host* host) {
  const bool own = host != nullptr && host->soc && host->soc->value == device.id;
  if (device.kind == DeviceKind::gpu || own) return;
  const JsonValue& at = list.kind == JsonValue::Kind::array && index < list.items.size() ? list.items[index] : list;
  reader.fault(at, fmt::format("{} is no card: it does not go into a slot", device.name),
               device.kind == DeviceKind::cpu ? "the host has its own CPU" : "name the host that it comes with");
}

NodeSettings parse_node(ObjectReader& reader, const ProfileLibrary& library, std::size_t index) {
  NodeSettings node;
  node.name = reader.text_or("name", fmt::format("node{}", index + 1));
  node.host = reader.text("host");
  check_id(reader, "host", node.host, library.hosts);
  node.devices = reader.texts("devices");
  const JsonValue* list = reader.optional("devices");
  const Host* host = find(library.hosts, node.host);
  // More are refused as a whole, in parse_cluster.
  const std::size_t checked = std::min(node.devices.size(), static_cast<std::size_t>(kMaxDevices));
  for (std::size_t i = 0; i < checked; ++i) {
    const auto device = library.devices.find(node.devices[i]);
    if (device == library.devices.end()) {
      check_id(reader, "devices", node.devices[i], library.devices, i);
    } else {
      check_is_card(reader, *list, i, device->second, host);
    }
  }
  node.nic = reader.text_or("nic", "");
  check_id(reader, "nic", node.nic, library.nics);
  node.nic_ports = static_cast<int>(reader.integer_or("nic_ports", 1, Range::between(1, 16)));
  node.ram = Bytes(reader.quantity_or("ram", UnitKind::bytes, 0));
  parse_node_power(reader, library, node);
  node.pcie_lanes = static_cast<int>(reader.integer_or("pcie_lanes", 0, Range::between(0, 16)));
  node.pcie_generation = static_cast<int>(reader.integer_or("pcie_generation", 0, Range::between(0, 7)));
  reader.finish();
  return node;
}

// A part by its id that can do this work.
void check_cooling_role(ObjectReader& reader, const std::string& role, const ProfileLibrary& library) {
  const std::string id = reader.text(role);
  check_id(reader, role, id, library.cooling);
  const CoolingPart* part = find(library.cooling, id);
  if (part == nullptr) return;
  const bool sinks = part->kind == CoolingKind::immersion_sink || part->kind == CoolingKind::water_block ||
                     part->kind == CoolingKind::air_cooler;
  const bool fits = role == "sink"   ? sinks
                    : role == "pump" ? part->kind == CoolingKind::pump
                                     : part->kind == CoolingKind::radiator;
  if (!fits) reader.fault(*reader.optional(role), fmt::format("\"{}\": {} is none", role, part->name));
}

}  // namespace

// One box: an object where it is used, or the path of a machine file, whose text then counts as input.
NodeSettings parse_box(ObjectReader& reader, const JsonValue& box, const std::string& what,
                       const ProfileLibrary& library, std::size_t index, Scenario& scenario) {
  if (box.kind != JsonValue::Kind::string) {
    ObjectReader node(reader.document(), box, what, reader.diagnostics());
    return parse_node(node, library, index);
  }
  const std::string path = path_beside(reader, box, box.text);
  Result<std::string> text = read_text_file(path, kMaxInputBytes);
  if (!text) {
    for (const Diagnostic& fault : text.error())
      reader.fault(box, fmt::format("\"{}\": {}", path, fault.message), fault.hint);
    return {};
  }
  scenario.input_hash += *text;  // becomes part of the hash with the rest
  const Result<JsonDocument> document = JsonDocument::parse(std::move(*text), path);
  if (!document) {
    reader.diagnostics().insert(reader.diagnostics().end(), document.error().begin(), document.error().end());
    return {};
  }
  ObjectReader node(*document, document->root(), "machine", reader.diagnostics());
  return parse_node(node, library, index);
}

void parse_cluster(ObjectReader& root, const ProfileLibrary& library, Scenario& scenario) {
  auto reader = member_object(root, "cluster");
  if (!reader) return;
  if (const JsonValue* nodes = reader->required("nodes")) {
    if (nodes->kind != JsonValue::Kind::array || nodes->items.empty()) {
      reader->fault(*nodes, "\"nodes\" must be a list of at least one node");
    } else if (nodes->items.size() > static_cast<std::size_t>(kMaxNodes)) {
      reader->fault(*nodes, fmt::format("{} nodes; the limit is {}", nodes->items.size(), kMaxNodes));
    } else {
      for (std::size_t i = 0; i < nodes->items.size(); ++i) {
        scenario.cluster.nodes.push_back(
            parse_box(*reader, nodes->items[i], fmt::format("node {}", i + 1), library, i, scenario));
      }
    }
  }
  scenario.cluster.switch_id = reader->text_or("switch", "");
  check_id(*reader, "switch", scenario.cluster.switch_id, library.switches);
  scenario.cluster.rdma = reader->boolean_or("rdma", false);
  std::size_t devices = 0;
  for (const NodeSettings& node : scenario.cluster.nodes) devices += node.devices.size();
  if (devices > static_cast<std::size_t>(kMaxDevices)) {
    reader->fault(reader->value(), fmt::format("{} devices; the limit is {}", devices, kMaxDevices));
  }
  reader->finish();
}

void parse_wafers(ObjectReader& root, const ProfileLibrary& library, Scenario& scenario) {
  auto reader = member_object(root, "wafers");
  if (!reader) return;
  WaferChain chain;
  chain.device = reader->text("device");
  check_id(*reader, "device", chain.device, library.devices);
  chain.layers_max =
      static_cast<int>(reader->integer_or("layers_max", chain.layers_max, Range::between(0, kMaxLayers)));
  chain.rule = reader->choice_or("rule", {"full_attention_alone", "two_everywhere", "any_order"}, chain.rule);
  reader->finish();
  scenario.wafers = chain;
  scenario.engine.kind = Engine::wafer;
}

void parse_cooling_loop(ObjectReader& root, const ProfileLibrary& library, Scenario& scenario) {
  auto reader = member_object(root, "cooling");
  if (!reader) return;
  CoolingLoop loop;
  loop.sink = reader->text("sink");
  loop.radiator = reader->text("radiator");
  loop.pump = reader->text("pump");
  for (const char* key : {"sink", "radiator", "pump"}) check_cooling_role(*reader, key, library);
  loop.fluid = reader->text("fluid");
  check_id(*reader, "fluid", loop.fluid, library.fluids);
  loop.fan_rpm = reader->number_or("fan_rpm", loop.fan_rpm, Range::between(1, 10000));
  loop.radiators = reader->number_or("radiators", 1, Range::between(1, 64));
  reader->finish();
  scenario.cooling = loop;
}

void parse_site(ObjectReader& root, const ProfileLibrary& library, Scenario& scenario) {
  auto reader = member_object(root, "site");
  if (!reader) return;
  Site& site = scenario.site;
  std::vector<std::string> circuits;
  for (const Circuit& circuit : all_circuits()) circuits.emplace_back(circuit.id);
  std::vector<std::string> tariffs;
  for (const Tariff& tariff : library.prices.tariffs) tariffs.push_back(tariff.id);
  site.circuit = reader->choice_or("circuit", circuits, site.circuit);
  parse_site_mains(*reader, site);
  site.tariff = reader->choice_or("tariff", tariffs, site.tariff);
  site.busy_hours_per_day = reader->number_or("busy_hours_per_day", site.busy_hours_per_day, Range::between(0, 24));
  site.room = Celsius(reader->quantity_or("room", UnitKind::celsius, site.room.value(), Range::between(-40, 60)));
  site.currency = reader->choice_or("currency", {"EUR", "USD"}, "EUR") == "USD" ? Currency::usd : Currency::eur;
  reader->finish();
}

}  // namespace oblea
