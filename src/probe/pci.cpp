#include "probe/pci.hpp"

#include <algorithm>
#include <cstdlib>
#include <sstream>

#include <fmt/core.h>

#include "base/lower_case.hpp"
#include "base/printable.hpp"
#include "hardware/pci_names.hpp"

namespace oblea {
namespace {

int hexadecimal(const std::string& text) { return static_cast<int>(std::strtol(text.c_str(), nullptr, 16)); }

std::string four_digits(const std::string& written) {  // "0x10de"
  return written.starts_with("0x") && written.size() == 6 ? lower_case(written.substr(2)) : "";
}

// The lesser of two, where 0 says nothing.
void narrow(int& least, int seen) {
  if (seen > 0 && (least == 0 || seen < least)) least = seen;
}

int read_lanes(const MachineRoot& root, const std::string& path) {
  const double lanes = root.number(path).value_or(0);
  return lanes >= 1 && lanes <= 32 ? static_cast<int>(lanes) : 0;  // 63 and 255 stand for unknown
}

// "GA102 [GeForce RTX 3090]" below the vendor "10de"; the words in brackets are the product.
std::string name_in_pci_ids(const std::string& table, const std::string& vendor, const std::string& device) {
  std::istringstream lines(table);
  bool inside = false;
  for (std::string line; std::getline(lines, line);) {
    if (line.empty() || line.front() == '#') continue;
    if (line.front() != '\t') {
      inside = line.starts_with(vendor);
    } else if (inside && line.starts_with("\t" + device)) {
      const std::size_t open = line.find('['), close = line.rfind(']');
      return open != std::string::npos && close > open ? line.substr(open + 1, close - open - 1) : line.substr(7);
    }
  }
  return "";
}

// "744C,\tC8,\tAMD Radeon RX 7900 XTX"
std::string name_in_amdgpu_ids(const std::string& table, const std::string& device, int revision) {
  std::istringstream lines(table);
  for (std::string line; std::getline(lines, line);) {
    const std::size_t first = line.find(','), second = line.find(',', first + 1);
    if (second == std::string::npos || lower_case(line.substr(0, first)) != device) continue;
    if (hexadecimal(line.substr(first + 1, second - first - 1)) != revision) continue;
    const std::size_t name = line.find_first_not_of(" \t", second + 1);
    return name == std::string::npos ? "" : line.substr(name);
  }
  return "";
}

}  // namespace

PciFunction read_pci(const MachineRoot& root, const std::string& folder) {
  PciFunction function;
  const std::string vendor = four_digits(root.line(folder + "/vendor"));
  const std::string device = four_digits(root.line(folder + "/device"));
  const std::string class_code = root.line(folder + "/class");  // other buses have vendors and devices too
  if (vendor.empty() || device.empty() || class_code.empty()) return function;
  function.id = vendor + ":" + device;
  const std::string real = root.resolve(folder);
  const std::string& named = real.empty() ? folder : real;
  function.address = named.substr(named.rfind('/') + 1);
  function.revision = hexadecimal(root.line(folder + "/revision"));
  function.class_code = hexadecimal(class_code);
  return function;
}

std::vector<PciFunction> list_pci(const MachineRoot& root) {
  const std::string folder = "/sys/bus/pci/devices";
  std::vector<PciFunction> functions;
  for (const std::string& name : root.entries(folder)) {
    PciFunction function = read_pci(root, fmt::format("{}/{}", folder, name));
    if (!function.id.empty()) functions.push_back(std::move(function));
  }
  return functions;
}

int pcie_generation(const std::string& speed) {
  constexpr double kSpeeds[] = {2.5, 5, 8, 16, 32, 64};  // GT/s a lane of generations 1 to 6
  const double written = std::strtod(speed.c_str(), nullptr);
  const auto at = std::find(std::begin(kSpeeds), std::end(kSpeeds), written);
  return at == std::end(kSpeeds) ? 0 : static_cast<int>(at - std::begin(kSpeeds)) + 1;
}

FoundLink read_link(const MachineRoot& root, const std::string& folder) {
  FoundLink link;
  std::string at = root.resolve(folder);
  for (; at.find("/pci") != std::string::npos; at = at.substr(0, at.rfind('/'))) {
    narrow(link.generation_now, pcie_generation(root.line(at + "/current_link_speed")));
    narrow(link.generation_max, pcie_generation(root.line(at + "/max_link_speed")));
    narrow(link.lanes_now, read_lanes(root, at + "/current_link_width"));
    narrow(link.lanes_max, read_lanes(root, at + "/max_link_width"));
  }
  return link;
}

std::string name_pci(const MachineRoot& root, const PciFunction& function) {
  const std::string vendor = function.id.substr(0, 4), device = function.id.substr(5);
  if (vendor == "1002") {
    std::string name =
        name_in_amdgpu_ids(root.text("/usr/share/libdrm/amdgpu.ids").value_or(""), device, function.revision);
    if (!name.empty()) return name;
  }
  std::string ours = pci_name(function.id, function.revision);
  if (!ours.empty()) return ours;
  for (const char* table : {"/usr/share/misc/pci.ids", "/usr/share/hwdata/pci.ids"}) {
    // As bytes: its tabs carry meaning.
    const std::string name = name_in_pci_ids(root.bytes(table).value_or(""), vendor, device);
    if (!name.empty()) return printable(name);
  }
  return "";
}

}  // namespace oblea
