#include "io/scenario_supply.hpp"

#include <fmt/core.h>

#include "base/limits.hpp"
#include "power/psu.hpp"
#include "units/print.hpp"

namespace oblea {
namespace {

constexpr double kLowestClock = 100e6;   // Hz
constexpr double kHighestClock = 10e9;   // Hz
constexpr double kLargestLoad = 1e6;     // W, on one breaker
constexpr double kLargestUps = 1e7;      // W, VA
constexpr double kLargestBattery = 1e4;  // kWh
constexpr double kLargestRail = 1e5;     // W

// A place among the node's devices, from 0; nothing where it is none.
std::optional<int> parse_place(ObjectReader& reader, const JsonValue& item, const NodeSettings& node) {
  const std::size_t before = reader.diagnostics().size();
  const double place = reader.read_number(item, "devices", Range::any());
  if (reader.diagnostics().size() > before) return std::nullopt;
  const double count = static_cast<double>(node.devices.size());
  if (place < 0 || place >= count || place != static_cast<double>(static_cast<int>(place))) {
    reader.fault(item,
                 fmt::format("\"devices\": {:g} is no place among the {} of the node, counted from 0", place, count));
    return std::nullopt;
  }
  return static_cast<int>(place);
}

std::vector<int> parse_places(ObjectReader& reader, const NodeSettings& node, std::vector<int>& times_fed) {
  std::vector<int> places;
  const JsonValue* list = reader.optional("devices");
  if (list == nullptr) return places;
  if (list->kind != JsonValue::Kind::array) {
    reader.fault(*list, "\"devices\" of a supply must be a list of places in the node's \"devices\", from 0");
    return places;
  }
  for (const JsonValue& item : list->items) {
    const std::optional<int> place = parse_place(reader, item, node);
    if (!place) continue;
    if (++times_fed[static_cast<std::size_t>(*place)] > 1) {
      reader.fault(item, fmt::format("device {} hangs on a supply already", *place));
    }
    places.push_back(*place);
  }
  return places;
}

NodeSupply parse_supply(ObjectReader& reader, const ProfileLibrary& library, const NodeSettings& node,
                        std::vector<int>& times_fed) {
  NodeSupply supply;
  supply.psu = reader.text("psu");
  check_id(reader, "psu", supply.psu, library.psus);
  supply.devices = parse_places(reader, node, times_fed);
  supply.host = reader.boolean_or("host", false);
  supply.card_rail =
      Watts(reader.quantity_or("card_rail", UnitKind::watts, 0, {.low = 0, .high = kLargestRail, .open_low = true}));
  reader.finish();
  return supply;
}

// The device that comes with the host needs no supply of its own.
bool needs_supply(const NodeSettings& node, std::size_t device, const ProfileLibrary& library) {
  const Host* host = find(library.hosts, node.host);
  return host == nullptr || !host->soc || host->soc->value != node.devices[device];
}

void check_all_fed(ObjectReader& reader, const JsonValue& list, const NodeSettings& node,
                   const std::vector<int>& times_fed, const ProfileLibrary& library) {
  std::string missing;
  for (std::size_t i = 0; i < times_fed.size(); ++i) {
    if (times_fed[i] > 0 || !needs_supply(node, i, library)) continue;
    missing += fmt::format("{}{}", missing.empty() ? "" : ", ", i);
  }
  if (!missing.empty()) {
    reader.fault(list, fmt::format("no supply feeds device {}", missing), "each hangs on exactly one");
  }
}

void parse_supplies(ObjectReader& node, const JsonValue& list, const ProfileLibrary& library, NodeSettings& settings) {
  if (list.kind != JsonValue::Kind::array || list.items.empty()) {
    node.fault(list, "\"supplies\" must be a list of at least one supply");
    return;
  }
  if (list.items.size() > kMaxSupplies) {
    node.fault(list, fmt::format("{} supplies; the limit is {}", list.items.size(), kMaxSupplies));
    return;
  }
  if (settings.devices.size() > static_cast<std::size_t>(kMaxDevices)) return;  // refused as a whole
  std::vector<int> times_fed(settings.devices.size(), 0);
  int hosts = 0;
  for (const JsonValue& item : list.items) {
    ObjectReader reader(node.document(), item, "supply", node.diagnostics());
    settings.supplies.push_back(parse_supply(reader, library, settings, times_fed));
    hosts += settings.supplies.back().host ? 1 : 0;
  }
  if (hosts != 1) {
    node.fault(list, fmt::format("{} supplies feed the host", hosts), "set \"host\": true on exactly one");
  }
  check_all_fed(node, list, settings, times_fed, library);
}

std::optional<SupplySharing> parse_sharing(ObjectReader& node, const NodeSettings& settings) {
  const JsonValue* at = node.optional("supply_sharing");
  if (at == nullptr) return std::nullopt;
  const std::vector<std::string> names = {"redundant", "load_sharing"};
  const std::string name = node.choice_or("supply_sharing", names, names.front());
  if (settings.psu.empty() || settings.psu_count < 2) {
    node.fault(*at, "\"supply_sharing\" is of several equal supplies on one rail",
               "set \"psu\", and \"psu_count\" to 2 or more");
  }
  return static_cast<SupplySharing>(index_of(names, name));
}

// A lock on a card whose clocks nobody told changes nothing.
void check_lock(ObjectReader& node, const ProfileLibrary& library, const NodeSettings& settings) {
  if (!settings.clock_lock) return;
  for (const std::string& id : settings.devices) {
    const Device* device = find(library.devices, id);
    if (device == nullptr || device->boost_clock) continue;
    node.warning(*node.optional("clock_lock"),
                 fmt::format("the profile of {} has no boost clock: a clock lock changes nothing", device->name));
    return;
  }
}

}  // namespace

void parse_node_power(ObjectReader& node, const ProfileLibrary& library, NodeSettings& settings) {
  settings.psu = node.text_or("psu", "");
  check_id(node, "psu", settings.psu, library.psus);
  settings.psu_count = static_cast<int>(node.integer_or("psu_count", 1, Range::between(1, kMaxSupplies)));
  settings.supply_sharing = parse_sharing(node, settings);
  if (const JsonValue* list = node.optional("supplies")) {
    for (const char* key : {"psu", "psu_count"}) {
      if (const JsonValue* at = node.optional(key)) {
        node.fault(*at, fmt::format("\"{}\" beside \"supplies\"", key), "describe the supplies in one of the two ways");
      }
    }
    parse_supplies(node, *list, library, settings);
  }
  if (const auto limit = node.optional_quantity("power_limit", UnitKind::watts)) settings.power_limit = Watts(*limit);
  const Range clocks = Range::between(kLowestClock, kHighestClock);
  if (const auto lock = node.optional_quantity("clock_lock", UnitKind::hertz, clocks)) {
    settings.clock_lock = Hertz(*lock);
  }
  check_lock(node, library, settings);
}

void parse_site_mains(ObjectReader& reader, Site& site) {
  if (reader.has("breaker")) {
    const std::vector<std::string> names = {"b", "c", "us"};
    site.breaker = static_cast<BreakerCurve>(index_of(names, reader.choice_or("breaker", names, names.front())));
  }
  site.other_loads = Watts(reader.quantity_or("other_loads", UnitKind::watts, 0, Range::between(0, kLargestLoad)));
  auto section = member_object(reader, "ups");
  if (!section) return;
  const Range size{.low = 0, .high = kLargestUps, .open_low = true};
  Ups ups;
  ups.rated_volt_amperes = section->number("rated_va", size);
  ups.rated = Watts(section->quantity("rated", UnitKind::watts, size));
  ups.battery = Joules(section->quantity(
      "battery", UnitKind::joules, {.low = 0, .high = kLargestBattery * kKilowattHour.value(), .open_low = true}));
  section->finish();
  site.ups = ups;
}

}  // namespace oblea
