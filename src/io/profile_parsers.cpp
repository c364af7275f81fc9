#include "io/profile_parsers.hpp"

#include <algorithm>
#include <cctype>
#include <charconv>

#include <fmt/core.h>

#include "base/suggest.hpp"
#include "io/tariff_row.hpp"

namespace oblea {
namespace {

const std::vector<std::string> kDeviceKinds = {"gpu", "soc", "wafer", "cpu"};
const std::vector<std::string> kCoolingKinds = {"air_cooler", "water_block", "radiator", "pump", "immersion_sink"};
const std::vector<std::string> kStorageKinds = {"nvme", "sata_ssd", "hdd", "nas", "ram"};
const std::vector<std::string> kConditions = {"new", "used"};
const std::vector<std::string> kPlugs = {"pcie-8pin", "pcie-6pin", "12vhpwr", "eps-8pin", "none"};

template <class Kind>
Kind index_in(const std::vector<std::string>& names, const std::string& name) {
  const auto it = std::find(names.begin(), names.end(), name);
  return static_cast<Kind>(it == names.end() ? 0 : it - names.begin());
}

bool is_list(ObjectReader& reader, const JsonValue& value, std::string_view key) {
  if (value.kind == JsonValue::Kind::array) return true;
  reader.fault(value, fmt::format("\"{}\" must be a list, not {}", key, kind_name(value.kind)));
  return false;
}

// A list of rows of `width` numbers, sorted by the first.
std::vector<std::vector<double>> parse_rows(ObjectReader& reader, const JsonValue& at, std::string_view key,
                                            std::size_t width) {
  std::vector<std::vector<double>> rows;
  if (at.kind != JsonValue::Kind::array || at.items.empty()) {
    reader.fault(at, fmt::format("\"{}\" must be a list of rows of {} numbers", key, width));
    return rows;
  }
  for (const JsonValue& item : at.items) {
    if (item.kind != JsonValue::Kind::array || item.items.size() != width) {
      reader.fault(item, fmt::format("each row of \"{}\" must hold {} numbers", key, width));
      continue;
    }
    std::vector<double> row;
    for (const JsonValue& number : item.items) row.push_back(reader.read_number(number, key, {}));
    if (!rows.empty() && row[0] <= rows.back()[0]) {
      reader.fault(item, fmt::format("rows of \"{}\" must be sorted by their first number", key));
    }
    rows.push_back(std::move(row));
  }
  return rows;
}

Optional<PowerConnectors> parse_sourced_connectors(ObjectReader& reader, std::string_view key, bool required) {
  Source source;
  const JsonValue* value = reader.sourced_value(key, required, source);
  if (value == nullptr) return std::nullopt;
  return Sourced<PowerConnectors>{parse_connectors(reader, *value), source};
}

Sourced<std::vector<EfficiencyPoint>> parse_efficiency(ObjectReader& reader, std::string_view key) {
  Sourced<std::vector<EfficiencyPoint>> curve;
  const JsonValue* value = reader.sourced_value(key, true, curve.source);
  if (value == nullptr) return curve;
  for (const auto& row : parse_rows(reader, *value, key, 2)) {
    if (row[0] <= 0 || row[0] > 1.5 || row[1] <= 0 || row[1] > 1) {
      reader.fault(*value, fmt::format("\"{}\": load and efficiency are shares between 0 and 1", key));
    }
    curve.value.push_back({row[0], row[1]});
  }
  return curve;
}

Sourced<std::vector<PcieSlot>> parse_slots(ObjectReader& reader) {
  Sourced<std::vector<PcieSlot>> slots;
  const JsonValue* value = reader.sourced_value("slots", true, slots.source);
  if (value == nullptr) return slots;
  if (!is_list(reader, *value, "slots")) return slots;
  for (const JsonValue& item : value->items) {
    ObjectReader slot(reader.document(), item, "slot", reader.diagnostics());
    slots.value.push_back({static_cast<int>(slot.integer("generation", Range::between(1, 7))),
                           static_cast<int>(slot.integer("lanes", Range::between(1, 16))),
                           static_cast<int>(slot.integer_or("width", 2, Range::between(1, 5))),
                           slot.boolean_or("shared", false)});
    slot.finish();
  }
  return slots;
}

Optional<PcieSlot> parse_uplink(ObjectReader& reader) {
  Sourced<PcieSlot> uplink;
  const JsonValue* value = reader.sourced_value("uplink", false, uplink.source);
  if (value == nullptr) return {};
  ObjectReader link(reader.document(), *value, "uplink", reader.diagnostics());
  uplink.value.generation = static_cast<int>(link.integer("generation", Range::between(1, 7)));
  uplink.value.lanes = static_cast<int>(link.integer("lanes", Range::between(1, 16)));
  link.finish();
  return uplink;
}

}  // namespace

PowerConnectors parse_connectors(ObjectReader& reader, const JsonValue& at) {
  PowerConnectors result;
  const std::string_view text = at.text;
  if (at.kind != JsonValue::Kind::string) {
    reader.fault(at, "connectors must be text such as \"2x pcie-8pin\" or \"none\"");
    return result;
  }
  std::size_t position = 0;
  while (position < text.size()) {
    std::size_t end = text.find('+', position);
    if (end == std::string_view::npos) end = text.size();
    std::string_view part = text.substr(position, end - position);
    while (!part.empty() && part.front() == ' ') part.remove_prefix(1);
    while (!part.empty() && part.back() == ' ') part.remove_suffix(1);
    position = end + 1;
    if (part == "none") continue;
    int count = 1;
    const std::size_t times = part.find("x ");
    if (times != std::string_view::npos) {
      const auto parsed = std::from_chars(part.data(), part.data() + times, count);
      if (parsed.ec != std::errc() || parsed.ptr != part.data() + times || count < 1 || count > 64) {
        reader.fault(at, fmt::format("\"{}\" is no number of connectors from 1 to 64", part.substr(0, times)),
                     "write it as \"2x pcie-8pin\"");
        count = 0;
      }
      part = part.substr(times + 2);
    }
    if (part == "pcie-8pin")
      result.pcie_8pin += count;
    else if (part == "pcie-6pin")
      result.pcie_6pin += count;
    else if (part == "12vhpwr")
      result.hpwr_12v += count;
    else if (part == "eps-8pin")
      result.eps_8pin += count;
    else
      reader.fault(at, fmt::format("connector \"{}\" is not known", part), suggest(part, kPlugs));
  }
  return result;
}

Device parse_device(ObjectReader& reader) {
  Device d;
  d.id = reader.text("id");
  d.name = reader.text("name");
  d.kind = index_in<DeviceKind>(kDeviceKinds, reader.choice("kind", kDeviceKinds));
  d.vendor = reader.text("vendor");
  d.architecture = reader.text("architecture");
  d.memory_type = reader.text_or("memory_type", "");
  d.memory = reader.sourced<Bytes>("memory", UnitKind::bytes);
  d.usable_memory_fraction = reader.optional_sourced_number("usable_memory_fraction", Range::between(0.01, 1));
  d.memory_bandwidth = reader.sourced<BytesPerSecond>("memory_bandwidth", UnitKind::bytes_per_second);
  d.attainable_bandwidth =
      reader.optional_sourced<BytesPerSecond>("attainable_memory_bandwidth", UnitKind::bytes_per_second);
  d.l2_cache = reader.optional_sourced<Bytes>("l2_cache", UnitKind::bytes);
  d.fp32 = reader.optional_sourced<FlopsPerSecond>("fp32", UnitKind::flops_per_second);
  d.fp16 = reader.optional_sourced<FlopsPerSecond>("fp16", UnitKind::flops_per_second);
  d.fp16_tensor = reader.optional_sourced<FlopsPerSecond>("fp16_tensor", UnitKind::flops_per_second);
  d.bf16_tensor = reader.optional_sourced<FlopsPerSecond>("bf16_tensor", UnitKind::flops_per_second);
  d.int8 = reader.optional_sourced<FlopsPerSecond>("int8", UnitKind::flops_per_second);
  d.fp8 = reader.optional_sourced<FlopsPerSecond>("fp8", UnitKind::flops_per_second);
  d.fp4 = reader.optional_sourced<FlopsPerSecond>("fp4", UnitKind::flops_per_second);
  d.boost_clock = reader.optional_sourced<Hertz>("boost_clock", UnitKind::hertz);
  d.cores = reader.optional_sourced_number("cores", Range::positive());
  d.memory_channels = reader.optional_sourced_number("memory_channels", Range::positive());
  d.pcie_generation = reader.optional_sourced_number("pcie_generation", Range::between(1, 7));
  d.pcie_lanes = reader.optional_sourced_number("pcie_lanes", Range::between(0, 128));
  d.slot_width = reader.optional_sourced_number("slot_width", Range::between(0, 6));
  d.power_connectors = parse_sourced_connectors(reader, "power_connectors", false);
  d.nvlink = reader.optional_sourced<BytesPerSecond>("nvlink", UnitKind::bytes_per_second, {});
  d.tdp = reader.sourced<Watts>("tdp", UnitKind::watts);
  d.idle = reader.sourced<Watts>("idle", UnitKind::watts, {});
  d.transient_peak = reader.optional_sourced<Watts>("transient_peak", UnitKind::watts);
  d.temperature_max = reader.optional_sourced<Celsius>("temperature_max", UnitKind::celsius);
  d.temperature_target = reader.optional_sourced<Celsius>("temperature_target", UnitKind::celsius);
  d.hop_latency = reader.optional_sourced<Seconds>("hop_latency", UnitKind::seconds);
  d.io_bandwidth = reader.optional_sourced<BytesPerSecond>("io_bandwidth", UnitKind::bytes_per_second);
  d.layer_latency = reader.optional_sourced<Seconds>("layer_latency", UnitKind::seconds);
  d.note = reader.text_or("note", "");
  if (d.idle.value > d.tdp.value) reader.fault(reader.value(), "device idles above its TDP");
  return d;
}

Host parse_host(ObjectReader& reader) {
  Host h;
  h.id = reader.text("id");
  h.name = reader.text("name");
  reader.choice_or("kind", {"host"}, "host");
  h.cpu = reader.text("cpu");
  h.slots = parse_slots(reader);
  h.uplink = parse_uplink(reader);
  h.ram_kind = reader.sourced_text("ram_kind");
  h.ram_slots = reader.sourced_number("ram_slots", {});
  h.ram_max = reader.sourced<Bytes>("ram_max", UnitKind::bytes);
  h.idle = reader.sourced<Watts>("idle", UnitKind::watts);
  h.load = reader.sourced<Watts>("load", UnitKind::watts);
  h.soc = reader.optional_sourced_text("soc");
  h.nic = reader.text("nic");
  h.ram_included = reader.optional_sourced<Bytes>("ram_included", UnitKind::bytes);
  h.psu_included = reader.optional_sourced<Watts>("psu_included", UnitKind::watts);
  h.gpu_max = reader.sourced_number("gpu_max", Range::between(0, 64));
  h.risers = reader.boolean_or("risers", false);
  h.note = reader.text_or("note", "");
  return h;
}

Nic parse_nic(ObjectReader& reader) {
  Nic n;
  reader.choice("kind", {"nic"});
  n.id = reader.text("id");
  n.name = reader.text("name");
  n.port = reader.text("port");
  n.line_rate = reader.sourced<BytesPerSecond>("line_rate", UnitKind::bytes_per_second);
  n.goodput = reader.sourced<BytesPerSecond>("goodput", UnitKind::bytes_per_second);
  n.tcp_latency = reader.sourced<Seconds>("tcp_latency", UnitKind::seconds);
  n.rdma_goodput = reader.optional_sourced<BytesPerSecond>("rdma_goodput", UnitKind::bytes_per_second);
  n.rdma_latency = reader.optional_sourced<Seconds>("rdma_latency", UnitKind::seconds);
  n.power = reader.sourced<Watts>("power", UnitKind::watts, {});
  n.pcie_lanes = reader.optional_sourced_number("pcie_lanes", Range::between(1, 16));
  n.pcie_generation = reader.optional_sourced_number("pcie_generation", Range::between(1, 7));
  n.ports = reader.sourced_number("ports", Range::between(1, 16));
  if (n.goodput.value > n.line_rate.value) reader.fault(reader.value(), "NIC goodput exceeds its line rate");
  return n;
}

Switch parse_switch(ObjectReader& reader) {
  Switch s;
  reader.choice("kind", {"switch"});
  s.id = reader.text("id");
  s.name = reader.text("name");
  if (const JsonValue* value = reader.sourced_value("ports", true, s.ports.source)) {
    for (const JsonValue& item : value->items) {
      ObjectReader port(reader.document(), item, "port", reader.diagnostics());
      SwitchPorts group;
      group.port = port.text("port");
      group.rate = BytesPerSecond(port.quantity("rate", UnitKind::bytes_per_second));
      group.count = static_cast<int>(port.integer("count", Range::between(1, 512)));
      port.finish();
      s.ports.value.push_back(group);
    }
    if (s.ports.value.empty()) reader.fault(*value, "switch has no ports");
  }
  s.power = reader.sourced<Watts>("power", UnitKind::watts);
  s.latency = reader.sourced<Seconds>("latency", UnitKind::seconds);
  s.backplane = reader.optional_sourced<BytesPerSecond>("backplane", UnitKind::bytes_per_second);
  s.port_buffer = reader.optional_sourced<Bytes>("port_buffer", UnitKind::bytes);
  return s;
}

Cable parse_cable(ObjectReader& reader) {
  Cable c;
  reader.choice("kind", {"cable"});
  c.id = reader.text("id");
  c.name = reader.text("name");
  c.port = reader.text("port");
  c.length_m = reader.sourced_number("length_m", Range::positive());
  c.power = reader.sourced<Watts>("power", UnitKind::watts, {});
  return c;
}

Interconnect parse_interconnect(ObjectReader& reader) {
  Interconnect i;
  reader.choice("kind", {"interconnect"});
  i.id = reader.text("id");
  i.name = reader.text("name");
  i.goodput = reader.sourced<BytesPerSecond>("goodput", UnitKind::bytes_per_second);
  i.latency = reader.sourced<Seconds>("latency", UnitKind::seconds);
  return i;
}

std::vector<PcieLink> parse_pcie_links(ObjectReader& reader) {
  std::vector<PcieLink> links;
  reader.choice("kind", {"pcie"});
  reader.text("id");
  reader.text_or("name", "");
  const JsonValue* list = reader.required("links");
  if (list == nullptr || !is_list(reader, *list, "links")) return links;
  for (const JsonValue& item : list->items) {
    ObjectReader link(reader.document(), item, "link", reader.diagnostics());
    PcieLink parsed;
    parsed.generation = static_cast<int>(link.integer("generation", Range::between(1, 7)));
    parsed.lanes = static_cast<int>(link.integer("lanes", Range::between(1, 16)));
    parsed.goodput = link.sourced<BytesPerSecond>("goodput", UnitKind::bytes_per_second);
    link.finish();
    links.push_back(parsed);
  }
  return links;
}

Psu parse_psu(ObjectReader& reader) {
  Psu p;
  reader.choice_or("kind", {"psu"}, "psu");
  p.id = reader.text("id");
  p.name = reader.text("name");
  p.level = reader.text("level");
  p.rated = reader.sourced<Watts>("rated", UnitKind::watts);
  p.efficiency_115v = parse_efficiency(reader, "efficiency_115v");
  p.efficiency_230v = parse_efficiency(reader, "efficiency_230v");
  if (const auto plugs = parse_sourced_connectors(reader, "connectors", true)) p.connectors = *plugs;
  p.powers_board = reader.boolean_or("powers_board", true);
  p.excursion_factor = reader.sourced_number("excursion_factor", Range::between(1, 3));
  return p;
}

CoolingPart parse_cooling(ObjectReader& reader) {
  CoolingPart c;
  c.kind = index_in<CoolingKind>(kCoolingKinds, reader.choice("kind", kCoolingKinds));
  c.id = reader.text("id");
  c.name = reader.text("name");
  c.resistance = reader.optional_sourced<KelvinsPerWatt>("resistance", UnitKind::kelvins_per_watt);
  Source source;
  if (const JsonValue* value = reader.sourced_value("conductance", false, source)) {
    std::vector<ConductancePoint> points;
    for (const auto& row : parse_rows(reader, *value, "conductance", 2)) {
      points.push_back({row[0], WattsPerKelvin(row[1])});
    }
    c.conductance = Sourced<std::vector<ConductancePoint>>{points, source};
  }
  c.oil_derating = reader.optional_sourced_number("oil_derating", Range::between(0.01, 1));
  c.power = reader.optional_sourced<Watts>("power", UnitKind::watts, {});
  c.flow_litres_per_hour = reader.optional_sourced<double>("flow_litres_per_hour", UnitKind::litres_per_hour);
  c.temperature_max = reader.optional_sourced<Celsius>("temperature_max", UnitKind::celsius);
  return c;
}

Fluid parse_fluid(ObjectReader& reader) {
  Fluid f;
  reader.choice("kind", {"fluid"});
  f.id = reader.text("id");
  f.name = reader.text("name");
  if (const JsonValue* value = reader.sourced_value("properties", true, f.properties.source)) {
    for (const auto& row : parse_rows(reader, *value, "properties", 5)) {
      f.properties.value.push_back({row[0], row[1], row[2], row[3], row[4]});
    }
  }
  f.expansion_per_kelvin = reader.optional_sourced_number("expansion_per_kelvin", Range::positive());
  f.flash_point = reader.optional_sourced<Celsius>("flash_point", UnitKind::celsius);
  f.discontinued = reader.optional_sourced_text("discontinued");
  return f;
}

Storage parse_storage(ObjectReader& reader) {
  Storage s;
  s.kind = index_in<StorageKind>(kStorageKinds, reader.choice("kind", kStorageKinds));
  s.id = reader.text("id");
  s.name = reader.text("name");
  s.capacity = reader.sourced<Bytes>("capacity", UnitKind::bytes);
  s.read = reader.sourced<BytesPerSecond>("read", UnitKind::bytes_per_second);
  s.mapped = reader.optional_sourced<BytesPerSecond>("mapped", UnitKind::bytes_per_second);
  s.nic = reader.text_or("nic", "");
  s.nic_ports = reader.optional_sourced_number("nic_ports", Range::between(1, 16));
  s.power = reader.sourced<Watts>("power", UnitKind::watts, {});
  s.ram_kind = reader.text_or("ram_kind", "");
  s.ram_modules = reader.optional_sourced_number("ram_modules", Range::between(1, 32));
  return s;
}

namespace {

Money parse_price(ObjectReader& reader, std::string_view key) {
  const JsonValue* value = reader.required(key);
  if (value == nullptr) return {};
  if (value->kind != JsonValue::Kind::string) {
    reader.fault(*value, fmt::format("\"{}\" must be an amount with its currency in quotes, such as \"650 EUR\"", key));
    return {};
  }
  const ParsedMoney parsed = parse_money(value->text);
  if (!parsed.error.message.empty()) {
    reader.fault(*value, fmt::format("\"{}\": {}", key, parsed.error.message), parsed.error.hint);
  } else if (parsed.money.amount <= 0) {
    reader.fault(*value, fmt::format("\"{}\" is {}; a price must be greater than 0", key, value->text),
                 "leave out what you do not have to buy");
  }
  return parsed.money;
}

Price parse_price_row(ObjectReader& row) {
  Price price;
  price.item = row.text("item");
  price.money = parse_price(row, "price");
  price.condition = index_in<Condition>(kConditions, row.choice("condition", kConditions));
  price.source = row.source();
  return price;
}

}  // namespace

PriceList parse_price_list(ObjectReader& reader) {
  PriceList list;
  reader.choice_or("kind", {"price_list"}, "price_list");
  list.id = reader.text("id");
  reader.text_or("name", "");
  if (const JsonValue* rates = reader.required("exchange_rates")) {
    ObjectReader inner(reader.document(), *rates, "exchange_rates", reader.diagnostics());
    if (const JsonValue* usd = inner.sourced_value("USD", true, list.rates_source)) {
      const ParsedMoney parsed = parse_money(usd->text);
      if (!parsed.error.message.empty())
        inner.fault(*usd, parsed.error.message, parsed.error.hint);
      else if (parsed.money.currency != Currency::eur || parsed.money.amount <= 0) {
        inner.fault(*usd, "an exchange rate is a positive amount of EUR, such as \"0.86 EUR\"");
      }
      list.rates.euros_per_usd = parsed.money.amount;
    }
    inner.finish();
  }
  if (const JsonValue* prices = reader.required("prices"); prices != nullptr && is_list(reader, *prices, "prices")) {
    for (const JsonValue& item : prices->items) {
      ObjectReader row(reader.document(), item, "price", reader.diagnostics());
      list.prices.push_back(parse_price_row(row));
      row.finish();
    }
  }
  if (const JsonValue* tariffs = reader.optional("tariffs");
      tariffs != nullptr && is_list(reader, *tariffs, "tariffs")) {
    for (const JsonValue& item : tariffs->items) {
      list.tariffs.push_back(parse_tariff(reader.document(), item, reader.diagnostics()));
    }
  }
  return list;
}

}  // namespace oblea
