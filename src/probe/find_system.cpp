#include "probe/find_system.hpp"

#include <sstream>

#include "base/lower_case.hpp"
#include "base/printable.hpp"

namespace oblea {
namespace {

bool holds(const std::string& text, const char* word) { return text.find(word) != std::string::npos; }

// A field of the firmware's that the maker filled in.
std::string dmi(const MachineRoot& root, const char* field) {
  std::string value = cut_text(root.line(std::string("/sys/class/dmi/id/") + field), 80);
  const std::string plain = lower_case(value);
  for (const char* blank : {"to be filled", "o.e.m.", "default string", "system product name", "system manufacturer",
                            "not specified", "not applicable", "none"}) {
    if (plain.starts_with(blank)) return "";
  }
  return value;
}

std::string container_of(const MachineRoot& root) {
  const std::string groups = root.text("/proc/1/cgroup").value_or("");
  if (holds(groups, "kubepods") || root.exists("/var/run/secrets/kubernetes.io")) return "kubernetes";
  if (root.exists("/.dockerenv") || holds(groups, "docker")) return "docker";
  if (root.exists("/run/.containerenv")) return "podman";
  if (holds(groups, "/lxc")) return "lxc";
  return "";
}

// The lowest limit on the way from our control group to the root, in either version of control groups.
std::optional<Bytes> memory_limit(const MachineRoot& root) {
  std::optional<Bytes> limit;
  const auto take = [&](const std::string& path) {
    const std::optional<double> bytes = root.number(path);  // "max" is no number
    if (bytes && *bytes > 0 && *bytes < 1e15 && (!limit || *bytes < limit->value())) limit = Bytes(*bytes);
  };
  std::istringstream groups(root.text("/proc/self/cgroup").value_or(""));
  std::string path;
  for (std::string line; std::getline(groups, line);) {
    if (line.starts_with("0::")) path = line.substr(3);
  }
  for (; path.size() > 1 && !holds(path, ".."); path = path.substr(0, path.rfind('/')))
    take("/sys/fs/cgroup" + path + "/memory.max");
  take("/sys/fs/cgroup/memory.max");
  take("/sys/fs/cgroup/memory/memory.limit_in_bytes");
  return limit;
}

}  // namespace

void find_system(const MachineRoot& root, FoundMachine& found) {
  FoundSystem& system = found.system;
  system.host_name = cut_text(root.line("/proc/sys/kernel/hostname"), 40);
  system.os = value_of_key(root.text("/etc/os-release").value_or(""), "PRETTY_NAME");
  system.kernel = root.line("/proc/sys/kernel/osrelease");
  system.wsl =
      holds(lower_case(system.kernel), "microsoft") || holds(lower_case(root.line("/proc/version")), "microsoft");
  system.vendor = dmi(root, "sys_vendor");
  if (system.vendor.empty()) system.vendor = dmi(root, "board_vendor");
  system.product = dmi(root, "product_name");
  system.board = dmi(root, "board_name");
  for (const char* path : {"/proc/device-tree/model", "/sys/firmware/devicetree/base/model"}) {
    if (system.device_tree_model.empty()) system.device_tree_model = root.line(path);
  }
  system.container = container_of(root);
  system.virtual_machine = holds(value_of_key(root.text("/proc/cpuinfo").value_or(""), "flags"), "hypervisor");
  system.memory_limit = memory_limit(root);
  if (system.board.empty() && system.product.empty() && system.device_tree_model.empty()) {
    const bool denied = root.denied("/sys/class/dmi/id/board_name");
    found.unseen.push_back({"board and product", denied ? "this user may not read /sys/class/dmi/id"
                                                        : "no /sys/class/dmi/id, or its fields are blank"});
  }
}

}  // namespace oblea
