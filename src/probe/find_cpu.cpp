#include "probe/find_cpu.hpp"

#include <algorithm>
#include <cstdlib>
#include <set>
#include <sstream>
#include <utility>

namespace oblea {
namespace {

std::string vendor_of(const std::string& cpuinfo) {
  const std::string id = value_of_key(cpuinfo, "vendor_id");
  if (id == "AuthenticAMD") return "amd";
  if (id == "GenuineIntel") return "intel";
  return value_of_key(cpuinfo, "CPU implementer").empty() ? "" : "arm";
}

}  // namespace

void find_cpu(const MachineRoot& root, FoundMachine& found) {
  const std::string cpuinfo = root.text("/proc/cpuinfo").value_or("");
  FoundCpu& cpu = found.cpu;
  cpu.name = value_of_key(cpuinfo, "model name");
  cpu.vendor = vendor_of(cpuinfo);
  cpu.family = std::atoi(value_of_key(cpuinfo, "cpu family").c_str());
  cpu.model = std::atoi(value_of_key(cpuinfo, "model").c_str());
  std::set<int> sockets;
  std::set<std::pair<int, int>> cores;
  std::istringstream lines(cpuinfo);
  int socket = 0;
  for (std::string line; std::getline(lines, line);) {
    const std::size_t colon = line.find(':');
    if (colon == std::string::npos) continue;
    const int value = std::atoi(line.c_str() + colon + 1);
    if (line.starts_with("processor")) ++cpu.threads;
    if (line.starts_with("physical id")) sockets.insert(socket = value);
    if (line.starts_with("core id")) cores.insert({socket, value});
  }
  cpu.sockets = cpu.threads == 0 ? 0 : std::max(1, static_cast<int>(sockets.size()));
  cpu.cores = cores.empty() ? cpu.threads : static_cast<int>(cores.size());
  if (cpu.threads == 0) found.unseen.push_back({"the processor", "no /proc/cpuinfo"});
}

}  // namespace oblea
