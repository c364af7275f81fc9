#include "units/unit_table.hpp"

#include <iterator>
#include <span>

namespace oblea {
namespace {

using enum UnitKind;

// The spelling that messages offer.
constexpr Unit kUnits[] = {
    {"B", bytes, 1},
    {"kB", bytes, 1e3},
    {"MB", bytes, 1e6},
    {"GB", bytes, 1e9},
    {"TB", bytes, 1e12},
    {"PB", bytes, 1e15},
    {"KiB", bytes, 1024.0},
    {"MiB", bytes, 1048576.0},
    {"GiB", bytes, 1073741824.0},
    {"TiB", bytes, 1099511627776.0},
    {"bps", bytes_per_second, 0.125},
    {"kbps", bytes_per_second, 125.0},
    {"Mbps", bytes_per_second, 125e3},
    {"Gbps", bytes_per_second, 125e6},
    {"Tbps", bytes_per_second, 125e9},
    {"B/s", bytes_per_second, 1},
    {"kB/s", bytes_per_second, 1e3},
    {"MB/s", bytes_per_second, 1e6},
    {"GB/s", bytes_per_second, 1e9},
    {"TB/s", bytes_per_second, 1e12},
    {"PB/s", bytes_per_second, 1e15},
    {"MiB/s", bytes_per_second, 1048576.0},
    {"GiB/s", bytes_per_second, 1073741824.0},
    {"GFLOPS", flops_per_second, 1e9},
    {"TFLOPS", flops_per_second, 1e12},
    {"PFLOPS", flops_per_second, 1e15},
    {"GOPS", flops_per_second, 1e9},
    {"TOPS", flops_per_second, 1e12},
    {"POPS", flops_per_second, 1e15},
    {"ns", seconds, 1e-9},
    {"us", seconds, 1e-6},
    {"ms", seconds, 1e-3},
    {"s", seconds, 1},
    {"min", seconds, 60},
    {"h", seconds, 3600},
    {"Hz", hertz, 1},
    {"kHz", hertz, 1e3},
    {"MHz", hertz, 1e6},
    {"GHz", hertz, 1e9},
    {"mW", watts, 1e-3},
    {"W", watts, 1},
    {"kW", watts, 1e3},
    {"MW", watts, 1e6},
    {"J", joules, 1},
    {"kJ", joules, 1e3},
    {"Wh", joules, 3600},
    {"kWh", joules, 3.6e6},
    {"MWh", joules, 3.6e9},
    {"degC", celsius, 1},
    {"K", kelvins, 1},
    {"W/K", watts_per_kelvin, 1},
    {"K/W", kelvins_per_watt, 1},
    {"tok", tokens, 1},
    {"tok/s", tokens_per_second, 1},
    {"EUR", money, 1},
    {"USD", money, 1},
    {"EUR/kWh", money_per_kilowatt_hour, 1},
    {"USD/kWh", money_per_kilowatt_hour, 1},
    {"V", volts, 1},
    {"A", amperes, 1},
    {"L", litres, 1},
    {"L/h", litres_per_hour, 1},
    {"L/min", litres_per_hour, 60},
};

// Also understood, never offered.
constexpr Unit kOtherSpellings[] = {
    {"b/s", bytes_per_second, 0.125},
    {"kb/s", bytes_per_second, 125.0},
    {"Mb/s", bytes_per_second, 125e3},
    {"Gb/s", bytes_per_second, 125e6},
    {"Tb/s", bytes_per_second, 125e9},
    {"\xC2\xB5s", seconds, 1e-6},
    {"\xCE\xBCs", seconds, 1e-6},  // micro sign, Greek mu
    {"\xC2\xB0"
     "C",
     celsius, 1},
    {"\xE2\x82\xAC", money, 1},
    {"$", money, 1},
    {"\xE2\x82\xAC/kWh", money_per_kilowatt_hour, 1},
    {"$/kWh", money_per_kilowatt_hour, 1},
    {"l", litres, 1},
    {"l/h", litres_per_hour, 1},
    {"l/min", litres_per_hour, 60},
};

char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

}  // namespace

bool equal_but_for_case(std::string_view a, std::string_view b) {
  if (a.size() != b.size()) return false;
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (lower(a[i]) != lower(b[i])) return false;
  }
  return true;
}

const Unit* find_unit(std::string_view symbol, UnitKind kind) {
  for (const auto units : {std::span<const Unit>(kUnits), std::span<const Unit>(kOtherSpellings)}) {
    for (const Unit& unit : units) {
      if (unit.kind == kind && unit.symbol == symbol) return &unit;
    }
  }
  return nullptr;
}

const Unit* find_unit_of_any_kind(std::string_view symbol) {
  for (const auto units : {std::span<const Unit>(kUnits), std::span<const Unit>(kOtherSpellings)}) {
    for (const Unit& unit : units) {
      if (unit.symbol == symbol) return &unit;
    }
  }
  return nullptr;
}

const Unit* find_unit_but_for_case(std::string_view symbol, UnitKind kind) {
  for (const Unit& unit : kUnits) {
    if (unit.kind == kind && equal_but_for_case(unit.symbol, symbol)) return &unit;
  }
  return nullptr;
}

std::string list_units(UnitKind kind) {
  std::string list;
  for (const Unit& unit : kUnits) {
    if (unit.kind == kind) list += (list.empty() ? "" : ", ") + std::string(unit.symbol);
  }
  return list;
}

const std::vector<Unit>& all_units() {
  static const std::vector<Unit> units = [] {
    std::vector<Unit> list(std::begin(kUnits), std::end(kUnits));
    list.insert(list.end(), std::begin(kOtherSpellings), std::end(kOtherSpellings));
    return list;
  }();
  return units;
}

std::string_view unit_kind_name(UnitKind kind) {
  switch (kind) {
    case bytes:
      return "size";
    case bytes_per_second:
      return "bandwidth";
    case flops_per_second:
      return "compute rate";
    case seconds:
      return "time";
    case hertz:
      return "frequency";
    case watts:
      return "power";
    case joules:
      return "energy";
    case celsius:
      return "temperature";
    case kelvins:
      return "temperature difference";
    case tokens:
      return "tokens";
    case tokens_per_second:
      return "token rate";
    case watts_per_kelvin:
      return "thermal conductance";
    case kelvins_per_watt:
      return "thermal resistance";
    case money:
      return "money";
    case money_per_kilowatt_hour:
      return "electricity price";
    case volts:
      return "voltage";
    case amperes:
      return "current";
    case litres:
      return "volume";
    case litres_per_hour:
      return "flow";
  }
  return "unknown kind";
}

}  // namespace oblea
